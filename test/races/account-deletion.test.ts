import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DELETION_ENV, DeletionClient } from '../support/deletion-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const REQUESTS = 50;
const ROUNDS = 15;
const ACCOUNTS = 20;

let service: TestService;
/** A second process: its requests share only the rows with those of the first. */
let replica: TestService;

beforeAll(async () => {
  service = await startTestService({ env: DELETION_ENV, smtp: true });
  replica = await startTestService({
    env: DELETION_ENV,
    databaseUrl: service.databaseUrl,
    smtp: service.smtp?.url ?? false,
  });
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

const both = () => [new DeletionClient(service), new DeletionClient(replica)] as const;

const countOf = async (event: string, id: string): Promise<number> => {
  const where = 'event = $1 AND subject_user_id = $2';
  return (await service.sql(`SELECT 1 FROM auth_audit_logs WHERE ${where}`, [event, id])).length;
};
const stateOf = async (id: string) => {
  const [row] = await service.sql(
    'SELECT is_active, delete_at IS NULL AS kept, erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
    [id],
  );
  return row;
};

describe('simultaneous deletions of accounts', () => {
  it('of 50 requests at two replicas one succeeds, and each other one finds the session ended', async () => {
    const user = await service.createUser();
    const [one, two] = both();
    // Each replica accepts the tokens that it has issued.
    const [mine, yours] = [await service.signIn(user), await replica.signIn(user)];
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        index % 2 === 0 ? one.request(mine.accessToken) : two.request(yours.accessToken),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(REQUESTS - 1);
    expect(await countOf('deletion_requested', user.id)).toBe(1);
  });

  it('sign-ins beside a deletion leave no active session', async () => {
    const [one, two] = both();
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await service.signedIn();
      await Promise.all([
        two.signIn(user),
        one.request(user.accessToken),
        two.signIn(user),
        one.signIn(user),
      ]);
      const active = 'SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked';
      expect(await service.sql(active, [user.id])).toEqual([]);
    }
  });

  it('two superadmins who leave a company by deleting their accounts at once leave one of them', async () => {
    const clients = both();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [company, other] = [new TestCompany(service), new TestCompany(service)];
      const pair = [await service.signedIn(), await replica.signedIn()];
      for (const { id } of pair) {
        await company.join(id, { role: 'TENANT_SUPERADMIN' });
        await other.join(id, { role: 'TENANT_SUPERADMIN' });
      }
      const answers = await Promise.all(
        pair.map((user, index) => clients[index === 0 ? 0 : 1].request(user.accessToken)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('20 uses of a link undo a deletion once', async () => {
    const clients = both();
    const user = await service.signedIn();
    const { token } = await clients[0].requested(user);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => clients[index % 2 === 0 ? 0 : 1].undo(token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await countOf('deletion_undone', user.id)).toBe(1);
  });
});

describe('the erasure of accounts whose deletion is due', () => {
  it('two replicas share the accounts, and erase each of them once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) ids.push((await service.createUser()).id);
    await service.sql(
      "UPDATE users SET is_active = false, delete_at = now() - interval '1 second' WHERE id = ANY($1)",
      [ids],
    );
    const erasers = [service, replica, service, replica];
    const counts = await Promise.all(erasers.map(({ auth }) => auth.admin.erasure.eraseDue()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ACCOUNTS);
    for (const id of ids) {
      expect(await stateOf(id)).toMatchObject({ erased: true });
      expect(await countOf('personal_data_erased', id)).toBe(1);
    }
  });

  it('a link that is used when the time comes either keeps the account or is refused', async () => {
    const [client] = both();
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await service.signedIn();
      const { token } = await client.requested(user);
      // The time comes while both are running.
      await service.sql(
        `WITH due AS (UPDATE users SET delete_at = now() + make_interval(secs => $2) WHERE id = $1 RETURNING id, delete_at)
         UPDATE deletion_links l SET delete_at = due.delete_at FROM due WHERE l.user_id = due.id`,
        [user.id, (round % 5) / 200],
      );
      const [undone] = await Promise.all([
        client.undo(token),
        replica.auth.admin.erasure.eraseDue(),
        service.auth.admin.erasure.eraseDue(),
      ]);
      const state = await stateOf(user.id);
      seen.add(undone.status === 200 ? 'kept' : 'due');
      if (undone.status === 200) expect(state).toEqual({ is_active: true, kept: true, erased: false });
      else expect(state).toMatchObject({ is_active: false });
      await service.auth.admin.erasure.eraseDue();
      expect(await stateOf(user.id)).toMatchObject({ erased: undone.status !== 200 });
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  it('a reactivation by staff beside the erasure either keeps the account or comes too late', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await service.createUser();
      await service.sql(
        "UPDATE users SET is_active = false, delete_at = now() - interval '1 second' WHERE id = $1",
        [id],
      );
      const [patched] = await Promise.all([
        service.machine('PATCH', `/internal/admin/users/${id}`, { body: { isActive: true } }),
        replica.auth.admin.erasure.eraseDue(),
      ]);
      if (patched.status === 200) {
        await replica.auth.admin.erasure.eraseDue();
        expect(await stateOf(id)).toEqual({ is_active: true, kept: true, erased: false });
      } else {
        expect(patched.status).toBe(409);
        expect(await stateOf(id)).toMatchObject({ is_active: false, erased: true });
      }
    }
  });

  it('an erasure that fails does not keep the others from theirs, and is reported', async () => {
    const [bad, good] = [await service.createUser(), await service.createUser()];
    await service.sql(
      "UPDATE users SET is_active = false, delete_at = now() - interval '1 second' WHERE id = ANY($1)",
      [[bad.id, good.id]],
    );
    await service.sql(
      `CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF NEW.id = '${bad.id}' THEN RAISE EXCEPTION 'refused by the test'; END IF; RETURN NEW; END $$`,
    );
    await service.sql(
      'CREATE TRIGGER refuse_one BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION refuse_one()',
    );
    try {
      await expect(service.auth.admin.erasure.eraseDue()).rejects.toThrow();
      expect(await stateOf(good.id)).toMatchObject({ erased: true });
      expect(await stateOf(bad.id)).toMatchObject({ erased: false });
    } finally {
      await service.sql('DROP TRIGGER refuse_one ON users');
      await service.sql('DROP FUNCTION refuse_one()');
    }
    expect(await replica.auth.admin.erasure.eraseDue()).toBe(1);
    expect(await stateOf(bad.id)).toMatchObject({ erased: true });
  });
});
