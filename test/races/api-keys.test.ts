import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { ApiKeyClient } from '../support/api-key-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';

const CORE_KEY = 'key-of-the-core-service';
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const MODES = ['LEGACY', 'SHADOW', 'ENFORCED'] as const;
const ROLES = ['MEMBER', 'ADMIN', 'TENANT_SUPERADMIN', 'CLERK'];
/** `npm run proof:api-keys` makes ten times as many. */
const CHANGES = process.env.PROOF_SCALE === 'full' ? 10_000 : 1_000;
const ROUNDS = 50;

let core: CoreService;
let service: TestService;
let other: TestService;
let keys: ApiKeyClient;
beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  const env = {
    CORE_BASE_URL: core.url,
    CORE_INTERNAL_API_KEY: CORE_KEY,
    JWT_ISSUER: 'https://auth.example.com',
  };
  service = await startTestService({ env });
  other = await startTestService({ env, databaseUrl: service.databaseUrl });
  keys = new ApiKeyClient(service);
});
afterAll(async () => {
  await other.stop();
  await service.stop();
  await core.stop();
});

/** Random numbers that are the same in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomOf(4711);
const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const some = (): string[] => KEYS.filter(() => random() < 0.5);

it('after any change of rights, a key has what its owner has, cut by its lists, and never more', async () => {
  const user = await service.signedIn();
  const companyId = randomUUID();
  core.set(companyId, { modules: KEYS, permissions: KEYS });
  const id = await insertMembership(service.sql, { userId: user.id, companyId });
  const modules = ['a', 'b', 'c'];
  const permissions = ['d', 'e'];
  const whole = await keys.made(user.accessToken, { companyId });
  const cut = await keys.made(user.accessToken, { companyId, modules, permissions });
  const none = await keys.made(user.accessToken, { companyId, modules: [], permissions: [] });
  const { authenticator, access, apiKeys } = service.auth;
  const accessOfKey = async (key: string) =>
    apiKeys.authenticator.accessOf(await apiKeys.authenticator.authenticateForAccess(key));

  const changes: (() => Promise<unknown>)[] = [
    () => service.sql('DELETE FROM membership_module_grants WHERE membership_id = $1', [id]),
    () =>
      service.sql(
        'INSERT INTO membership_module_grants (membership_id, module_key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
        [id, some()],
      ),
    () => service.sql('DELETE FROM membership_permissions WHERE membership_id = $1', [id]),
    () =>
      service.sql(
        'INSERT INTO membership_permissions (membership_id, permission_key) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
        [id, some()],
      ),
    () => service.sql('DELETE FROM membership_module_rules WHERE membership_id = $1', [id]),
    () =>
      service.sql(
        `INSERT INTO membership_module_rules (id, membership_id, module_key, effect, source)
         VALUES (gen_random_uuid(), $1, $2, $3, 'MEMBER') ON CONFLICT DO NOTHING`,
        [id, one(KEYS), one(['GRANT', 'DENY'])],
      ),
    () => service.sql('UPDATE company_memberships SET role = $2 WHERE id = $1', [id, one(ROLES)]),
    () => {
      const entitled = { modules: some(), permissions: some(), accessPolicyMode: one(MODES) };
      core.set(companyId, entitled);
      return Promise.resolve();
    },
  ];

  for (let change = 0; change < CHANGES; change += 1) {
    await one(changes)();
    const [owner, ofWhole, ofCut, ofNone] = await Promise.all([
      authenticator
        .authenticateForAccess(user.accessToken)
        .then((caller) => access.resolve(caller, companyId)),
      accessOfKey(whole.key),
      accessOfKey(cut.key),
      accessOfKey(none.key),
    ]);
    expect([ofWhole.modules, ofWhole.permissions]).toEqual([owner.modules, owner.permissions]);
    expect([ofCut.modules, ofCut.permissions]).toEqual([
      owner.modules.filter((key) => modules.includes(key)),
      owner.permissions.filter((key) => permissions.includes(key)),
    ]);
    expect([ofNone.modules, ofNone.permissions]).toEqual([[], []]);
    expect(ofWhole.metadata).toMatchObject({ role: null, globalRole: 'NONE' });
  }
});

it('a key is refused on both replicas from its acknowledged revocation on, however many requests use it', async () => {
  const { accessToken } = await service.signedIn();
  for (let round = 0; round < ROUNDS; round += 1) {
    // The limit of an hour is not the subject.
    await service.sql(`UPDATE api_keys SET created_at = now() - interval '2 hours'`);
    const { id, key } = await keys.made(accessToken);
    const use = (at: TestService) =>
      at.machine('POST', '/internal/api-keys/verify', { body: { apiKey: key } });
    const before = Promise.all([use(service), use(other), use(service), use(other)]);
    const revoker = round % 2 === 0 ? service : other;
    const revoked = await revoker.api('DELETE', `/auth/api-keys/${id}`, { token: accessToken });
    expect(revoked.status).toBe(200);
    const after = await Promise.all([use(service), use(other)]);
    expect(after.map(({ data }) => data)).toEqual([{ active: false }, { active: false }]);
    expect((await before).every(({ status }) => status === 200)).toBe(true);
  }
});
