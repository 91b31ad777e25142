import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newApiKeyText } from '../../packages/core/src/api-key-records/api-key-text.js';
import { ApiKeyClient } from '../support/api-key-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let keys: ApiKeyClient;
beforeAll(async () => {
  service = await startTestService();
  keys = new ApiKeyClient(service);
});
afterAll(() => service.stop());

/** Returns the statements about API keys that a request causes; timers of the service cause others meanwhile. */
async function statementsOf(request: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await request();
    const statements = query.mock.calls.map(
      ([given]) => given as unknown as string | { name?: string; text: string },
    );
    const texts = statements.map((each) => (typeof each === 'string' ? each : (each.name ?? each.text)));
    return texts.filter((text) => /api_key|audit/.test(text));
  } finally {
    query.mockRestore();
  }
}

it('unknown, expired and revoked keys cost the same statements, and so does one of a user who may not sign in', async () => {
  const { id: userId, accessToken } = await service.signedIn();
  const [expired, revoked] = [await keys.made(accessToken), await keys.made(accessToken)];
  await service.sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    expired.id,
  ]);
  await service.api('DELETE', `/auth/api-keys/${revoked.id}`, { token: accessToken });
  const other = await service.signedIn();
  const ofInactive = await keys.made(other.accessToken);
  await service.sql('UPDATE users SET is_active = false WHERE id = $1', [other.id]);
  // The first unknown key of a minute is in the audit log.
  expect(await keys.status(newApiKeyText())).toBe(401);
  for (const use of [
    (key: string) => keys.status(key),
    (key: string) => keys.verify(key),
    (key: string) => keys.with(key, 'POST', '/auth/api-keys/exchange'),
  ]) {
    const all = [newApiKeyText(), expired.key, revoked.key, ofInactive.key];
    const costs = [];
    for (const key of all) costs.push(await statementsOf(() => use(key)));
    expect(costs[0]).toHaveLength(1);
    for (const cost of costs) expect(cost).toEqual(costs[0]);
  }
  const [{ uses } = {}] = await service.sql(
    'SELECT count(last_used_at)::int AS uses FROM api_keys WHERE user_id = $1',
    [userId],
  );
  expect(uses).toBe(0);
});

it('a key with a wrong checksum costs no statement', async () => {
  const key = newApiKeyText();
  const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  await keys.status(wrong);
  expect(await statementsOf(() => keys.status(wrong))).toEqual([]);
});
