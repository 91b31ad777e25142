import { expect, it } from 'vitest';
import { Secret } from '../settings/secret.js';
import { mailTransportOf, smtpOf } from './mail-transport.js';

const SMTP = { smtpUrl: new Secret('smtp://mail.example.com'), from: 'auth@example.com' };

it.each([
  ['production', SMTP, 'smtp'],
  ['development', SMTP, 'smtp'],
  ['development', { smtpUrl: undefined, from: undefined }, 'inbox'],
  ['test', { ...SMTP, from: undefined }, 'inbox'],
  ['production', { smtpUrl: undefined, from: undefined }, 'off'],
  ['production', { ...SMTP, from: undefined }, 'off'],
] as const)('in %s with %j mail goes by %s', (environment, mail, transport) => {
  expect(mailTransportOf({ environment, mail })).toBe(transport);
});

it('only production requires STARTTLS', () => {
  expect(smtpOf({ environment: 'production', mail: SMTP })).toMatchObject({ security: 'starttls' });
  expect(smtpOf({ environment: 'development', mail: SMTP })).toMatchObject({ security: 'opportunistic' });
});
