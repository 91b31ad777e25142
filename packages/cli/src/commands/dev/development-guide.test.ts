import { expect, it } from 'vitest';
import { readSettings } from '@latchkey/core';
import { guideOf, guideText } from './development-guide.js';

const guideWith = (
  source: Record<string, string>,
  mailTransport: 'smtp' | 'inbox' = 'inbox',
  folder?: string,
) => {
  const facts = {
    passwordEngine: '',
    hashingThreads: 1,
    storeKind: 'memory',
    mailTransport,
    signingKeyId: '',
    entitlements: 'none',
    secondFactor: 'off',
    webhooks: 'off',
    newerMigrations: [],
  } as const;
  return guideOf({ settings: readSettings(source), facts }, { port: 4000, folder });
};

it('the guide lists every address, with the port', () => {
  const guide = guideWith({ PORT: '0', PUBLIC_REGISTRATION_ENABLED: 'true' });
  expect(guide).toMatchObject({
    url: 'http://localhost:4000',
    docs: 'http://localhost:4000/docs',
    pages: 'http://localhost:4000/login',
    mail: 'http://localhost:4000/dev/mail',
  });
  const text = guideText(guide);
  for (const { line } of guide.steps) expect(text).toContain(`\n  ${line}\n`);
});

it('the guide names the host if the service listens on one interface', () => {
  expect(guideWith({ HOST: '10.0.0.5' }).url).toBe('http://10.0.0.5:4000');
  expect(guideWith({ HOST: '::1' }).url).toBe('http://localhost:4000');
});

it('the guide creates the account on the command line if registration is closed', () => {
  const lines = guideWith({ PUBLIC_REGISTRATION_ENABLED: 'false' }).steps.map(({ line }) => line);
  expect(lines[0]).toBe(
    "echo 'a long walk home' | npx latchkey users create --email ann@example.com --password-stdin",
  );
  expect(lines.join(' ')).not.toContain('/auth/register');
});

it('the guide gives commands the folder of a temporary database', () => {
  const { steps } = guideWith({ PUBLIC_REGISTRATION_ENABLED: 'true' }, 'inbox', '/tmp/latchkey-x');
  expect(steps[1]?.line).toBe("DATA_DIR='/tmp/latchkey-x' npx latchkey users approve ann@example.com");
});

it('the guide has no inbox if mail is sent by SMTP', () => {
  expect(guideText(guideWith({}, 'smtp'))).toContain('sent by SMTP_URL');
});
