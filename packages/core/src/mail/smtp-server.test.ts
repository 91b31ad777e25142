import { expect, it } from 'vitest';
import { smtpSecurityOf } from './smtp-server.js';

it.each([
  ['smtp://mail.example.com', 'starttls', 'opportunistic'],
  ['smtp://user:password@mail.example.com:587', 'starttls', 'opportunistic'],
  ['smtps://mail.example.com', 'tls', 'tls'],
  ['smtp://mail.example.com?tls=none', 'none', 'none'],
  ['smtp://mail.example.com?tls=required', 'starttls', 'starttls'],
  ['smtp://localhost:1025', 'opportunistic', 'opportunistic'],
  ['smtp://LOCALHOST', 'opportunistic', 'opportunistic'],
  ['smtp://mail.localhost', 'opportunistic', 'opportunistic'],
  ['smtp://127.0.0.53:25', 'opportunistic', 'opportunistic'],
  ['smtp://[::1]:25', 'opportunistic', 'opportunistic'],
  ['smtp://localhost?tls=required', 'starttls', 'starttls'],
  ['smtp://localhost.example.com', 'starttls', 'opportunistic'],
  ['smtp://127.0.0.1.example.com', 'starttls', 'opportunistic'],
  ['smtp://10.0.0.7', 'starttls', 'opportunistic'],
] as const)('%s is met with %s in production, else with %s', (url, inProduction, elsewhere) => {
  expect(smtpSecurityOf(url, true)).toBe(inProduction);
  expect(smtpSecurityOf(url, false)).toBe(elsewhere);
});
