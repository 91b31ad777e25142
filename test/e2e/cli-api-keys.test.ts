import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
