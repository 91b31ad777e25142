import { expect, inject, it, onTestFinished } from 'vitest';
import { createTestAuth } from '@latchkey/testing';
import { createAuth } from './create-auth.js';

it('mail of an app with sendMail false is sent by the other process', async () => {
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url });
  onTestFinished(() => kit.close());
  const beside = await createAuth(kit.auth.settings, { sendMail: false, migrate: false });
  onTestFinished(() => beside.close());
  expect(beside.inbox).toBeUndefined();

  await beside.registration.register({
    email: 'ann@example.com',
    password: 'a long walk home',
    fullName: 'Ann Example',
  });
  const { kind } = await kit.mail.waitFor('ann@example.com', 'email_verification', { timeout: 120_000 });
  expect(kind).toBe('email_verification');
});
