import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { isGenerated, shownSecret } from './fingerprint.js';

it.each([
  ['openssl rand -hex 32', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['openssl rand -base64 48', 'kT0oXv2m+0qZr7Qy1rJ0Wb9hX3nB6uVdLk2S8tYpC4eGfA7iNjMwR5xHzDqU1oEs'],
  ['base64url of 32 bytes', 'q83vEjRWeJq83vEjRWeJCq3N7xI0VniavN7wEjRWeJo'],
  ['a key', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n'],
])('a secret from %s is shown as the first digits of its digest', (_maker, secret) => {
  expect(shownSecret(secret)).toMatch(/^sha256:[0-9a-f]{8}$/);
});

it.each([
  ['a-key-for-this-tour'],
  ['Company-Secret-Password-2024-Production'],
  ['correct horse battery staple, four times over'],
  ['postgres://latchkey:Tr0ub4dor@db.example.com:5432/latchkey'],
  ['00000000000000000000000000000000'],
  ['9f86d081884c7d65'],
])('%j is only shown as set', (secret) => {
  expect(shownSecret(secret)).toBe('set');
});

it('two secrets are shown one after the other', () => {
  expect(shownSecret([randomBytes(32).toString('hex'), 'a-key-for-this-tour'])).toMatch(
    /^sha256:[0-9a-f]{8}, set$/,
  );
});

it('values that are not text are only shown as set', () => {
  expect(shownSecret([{ id: 'billing' }])).toBe('set');
});

it('nearly every random text is recognized as generated', () => {
  const texts = Array.from({ length: 500 }, () => randomBytes(32).toString('base64url'));
  expect(texts.filter(isGenerated).length).toBeGreaterThan(480);
});
