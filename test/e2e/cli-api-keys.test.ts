import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApiKeyText } from '../../packages/core/src/api-key-records/api-key-text.js';
import { ApiKeyClient, type MadeKey } from '../support/api-key-client.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let keys: ApiKeyClient;
let operator: OperatorClient;
beforeAll(async () => {
  service = await startTestService();
  keys = new ApiKeyClient(service);
  operator = new OperatorClient(service);
});
afterAll(() => service.stop());

const ids = async (...options: string[]): Promise<string[]> =>
  (await operator.json<{ id: string }[]>(['api-keys', 'list', ...options])).map(({ id }) => id);

it('the list finds the keys of a user, unused ones and those that expire', async () => {
  const user = await service.signedIn();
  const { id } = await keys.made(user.accessToken, { expiresIn: 86_400 });
  expect(await ids('--user', user.email)).toEqual([id]);
  expect(await ids('--user', user.email, '--expiring', '14d')).toEqual([id]);
  expect(await ids('--user', user.email, '--unused', '90d')).toEqual([]);
  await service.sql(`UPDATE api_keys SET created_at = now() - interval '91 days' WHERE id = $1`, [id]);
  expect(await ids('--user', user.email, '--unused', '90d')).toEqual([id]);
});

it('a key of a company is created, found and revoked, with the operator in the audit log', async () => {
  const companyId = randomUUID();
  const args = ['api-keys', 'create', '--company', companyId, '--name', 'ERP', '--module', 'billing'];
  const { key, apiKey } = await operator.json<MadeKey & { apiKey: { id: string } }>(args);
  expect(await keys.status(key)).not.toBe(401);
  expect(await ids('--company', companyId)).toEqual([apiKey.id]);
  expect(await operator.run(['api-keys', 'revoke', key])).toMatchObject({ code: 2, stdout: '' });
  const revoked = await operator.json(['api-keys', 'revoke', apiKey.id, '--yes']);
  expect(revoked).toEqual({ status: 'ok' });
  expect(await keys.status(key)).toBe(401);
  expect(await keys.audit(apiKey.id)).toEqual([
    ['api_key_created', null],
    ['api_key_revoked', 'revoked'],
  ]);
});

it('a key that was found is identified from standard input, in each state, and never shown', async () => {
  const user = await service.signedIn();
  const { id, key } = await keys.made(user.accessToken, { name: 'Nightly export' });
  const identified = (text: string) =>
    operator.json<{ id: string; state: string; revokeReason?: string }>(
      ['api-keys', 'identify'],
      `${text}\n`,
    );
  expect(await identified(key)).toMatchObject({
    id,
    state: 'active',
    userId: user.id,
    name: 'Nightly export',
  });
  const rotated = await service.api('POST', `/auth/api-keys/${id}/rotate`, {
    token: user.accessToken,
    body: { overlap: 60 },
  });
  const { key: second } = rotated.data as unknown as MadeKey;
  expect((await identified(key)).id).toBe(id);
  await operator.json(['api-keys', 'revoke', id, '--yes']);
  expect(await identified(second)).toMatchObject({ state: 'revoked', revokeReason: 'revoked' });
  const other = await keys.made(user.accessToken);
  await service.sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [other.id]);
  expect((await identified(other.key)).state).toBe('expired');
  const shown = await operator.run(['api-keys', 'identify'], second);
  expect(shown.stdout + shown.stderr).not.toContain(second.slice(4, 30));
});

it('a text that is no key, or one of another service, is refused with what it lacks', async () => {
  const cutOff = await operator.run(['api-keys', 'identify'], 'lkk_4fT9');
  expect(cutOff.code).not.toBe(0);
  expect(cutOff.stderr).toContain('a key has 53 characters');
  expect(cutOff.stdout).toBe('');
  const unknown = await operator.run(['api-keys', 'identify'], newApiKeyText());
  expect(unknown).toMatchObject({ code: 3, stdout: '' });
});
