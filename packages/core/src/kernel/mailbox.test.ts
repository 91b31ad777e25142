import { expect, it } from 'vitest';
import { readMailbox } from './mailbox.js';

const ADDRESS = 'no-reply@example.com';

it.each([
  [ADDRESS, ''],
  [`<${ADDRESS}>`, ''],
  [`Acme <${ADDRESS}>`, 'Acme'],
  [`Acme: Portal <${ADDRESS}>`, 'Acme: Portal'],
  [`Acme, "Ötz" GmbH: x <${ADDRESS}>`, 'Acme, "Ötz" GmbH: x'],
  [`Acme (EU) <${ADDRESS}>`, 'Acme (EU)'],
  [`Acme; Co <${ADDRESS}>`, 'Acme; Co'],
  [`"Acme: Portal" <${ADDRESS}>`, 'Acme: Portal'],
  [String.raw`"The \"Acme\" \\ Co" <${ADDRESS}>`, String.raw`The "Acme" \ Co`],
  [`ann@example.org <${ADDRESS}>`, 'ann@example.org'],
])('the sender %s has the name %j', (text, name) => {
  expect(readMailbox(text)).toEqual({ name, address: ADDRESS });
});

it.each([
  '',
  'Acme',
  'Acme no-reply@example.com',
  'a@example.com, b@example.com',
  'a@example.com;b@example.com',
  'Acme: a@example.com;',
  'a,b@example.com',
  'A <a@example.com> B <b@example.com>',
  'A <a@b@example.com>',
  'A <a b@example.com>',
  '=?UTF-8?Q?=C3=96tz?= <a@example.com>',
  'A\r\nBcc: x <a@example.com>',
  '\ud83d <a@example.com>',
])('%j is no sender', (text) => {
  expect(readMailbox(text)).toBeUndefined();
});
