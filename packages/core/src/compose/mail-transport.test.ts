import { expect, it } from 'vitest';
import { Secret } from '../settings/secret.js';
import { mailTransportOf, smtpOf } from './mail-transport.js';

const SMTP = { smtpUrl: new Secret('smtp://mail.example.com'), from: 'auth@example.com', byApp: false };
const NONE = { smtpUrl: undefined, from: undefined, byApp: false };

it.each([
  ['production', SMTP, 'smtp'],
  ['development', SMTP, 'smtp'],
  ['development', NONE, 'inbox'],
  ['test', { ...SMTP, from: undefined }, 'inbox'],
  ['production', NONE, 'off'],
  ['production', { ...SMTP, from: undefined }, 'off'],
  ['production', { ...NONE, byApp: true }, 'app'],
  ['production', { ...SMTP, byApp: true }, 'app'],
] as const)('in %s with %j mail goes by %s', (environment, mail, transport) => {
  expect(mailTransportOf({ environment, mail })).toBe(transport);
});

it('only production requires STARTTLS', () => {
  expect(smtpOf({ environment: 'production', mail: SMTP })).toMatchObject({ security: 'starttls' });
  expect(smtpOf({ environment: 'development', mail: SMTP })).toMatchObject({ security: 'opportunistic' });
});
