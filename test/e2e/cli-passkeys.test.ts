import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PasskeyView } from '@latchkey/core';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

let service: TestService;
let testClient: OperatorClient;

beforeAll(async () => {
  service = await startTestService({ env: PASSKEY_ENV });
  // Its settings say nothing of passkeys: for the command line they are switched off.
  testClient = new OperatorClient(service);
});

afterAll(() => service.stop());

async function userWithPasskey(): Promise<
  SignedInTestUser & { device: SoftwareAuthenticator; passkeyId: string }
> {
  const user = await signedInUser(service);
  const device = new SoftwareAuthenticator();
  const answer = await registerPasskey(service, user, device);
  expect(answer.status, answer.text).toBe(201);
  await service.mailTo(user.email);
  return { ...user, device, passkeyId: answer.data.id };
}

describe('latchkey passkeys list', () => {
  it('the list equals what the owner sees', async () => {
    const user = await userWithPasskey();
    const listed = await service.api('GET', '/auth/passkeys', { token: user.token });
    expect(await testClient.json<PasskeyView[]>(['passkeys', 'list', user.email])).toEqual(listed.items);
    const { stdout } = await testClient.run(['passkeys', 'list', user.id]);
    expect(stdout.split('\t')[0]).toBe(user.passkeyId);
    expect(await testClient.json(['users', 'show', user.id])).toMatchObject({ passkeys: 1 });
  });
});

describe('latchkey passkeys remove', () => {
  it('remove needs confirmation; the passkey stops working, and its owner is notified', async () => {
    const user = await userWithPasskey();
    const args = ['passkeys', 'remove', user.passkeyId];
    expect(await testClient.run(args)).toMatchObject({ code: 2, stdout: '' });
    expect((await signInWithPasskey(service, user.device)).status).toBe(200);
    expect(await testClient.json([...args, '--yes'])).toEqual({ status: 'ok' });
    expect((await signInWithPasskey(service, user.device)).status).toBe(401);
    expect((await service.mailTo(user.email, 2)).subject).toContain('passkey was removed');
    expect((await testClient.auditOf(user.id)).filter(({ event }) => event === 'passkey_removed')).toEqual([
      { event: 'passkey_removed', actor: testClient.actor, details: { passkeyId: user.passkeyId } },
    ]);
    expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
    expect(await testClient.run([...args, '--yes'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('remove accepts an unambiguous prefix of an id', async () => {
    const [one, other] = [await userWithPasskey(), await userWithPasskey()];
    // Ids of one day share their prefix.
    const shared = one.passkeyId.slice(0, 5);
    const count = 'SELECT id FROM passkey_credentials WHERE id = ANY($1)';
    const ids = [one.passkeyId, other.passkeyId];
    const { code, stderr } = await testClient.run(['passkeys', 'remove', shared, '--yes']);
    expect(code).toBe(2);
    for (const text of [one.passkeyId, one.email, other.email]) expect(stderr).toContain(text);
    expect(await service.sql(count, [ids])).toHaveLength(2);
    await testClient.json(['passkeys', 'remove', one.passkeyId.slice(0, -3), '--yes']);
    expect(await service.sql(count, [ids])).toEqual([{ id: other.passkeyId }]);
  });

  it.each([
    ['an unknown one', randomUUID(), 3],
    ['three characters', '019', 2],
  ])('passkeys remove with %s exits with its own code', async (_what, text, code) => {
    expect(await testClient.run(['passkeys', 'remove', text, '--yes'])).toMatchObject({ code, stdout: '' });
  });
});

describe('latchkey users set-password', () => {
  const input = 'a new horse, from a pipe';
  const args = ['users', 'set-password', '--password-stdin', '--yes'];

  it('set-password keeps passkeys', async () => {
    const user = await userWithPasskey();
    expect(await testClient.json([...args, user.email], input)).toMatchObject({ removedPasskeys: 0 });
    expect((await signInWithPasskey(service, user.device)).status).toBe(200);
  });

  it('set-password --remove-passkeys removes passkeys', async () => {
    const user = await userWithPasskey();
    const answer = await testClient.json([...args, user.email, '--remove-passkeys'], input);
    expect(answer).toMatchObject({ removedPasskeys: 1 });
    expect((await signInWithPasskey(service, user.device)).status).toBe(401);
    const [changed] = (await testClient.auditOf(user.id)).filter(({ event }) => event === 'password_changed');
    expect(changed).toMatchObject({ actor: testClient.actor, details: { removedPasskeys: 1 } });
  });
});
