import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { activityCounter } from '../../../../test/support/activity-counter.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { AuditErasureRepository } from '../audit/audit-erasure-repository.js';
import { Database } from '../storage/database.js';
import { ActivityRepository } from './activity-repository.js';

let testDatabase: TestDatabase;
let database: Database;
let replica: Database;
let activity: ActivityRepository;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const open = () => new Database({ url: testDatabase.url, poolMax: 4, preparedStatements: true });
  const first = open();
  // Days are those of UTC, wherever the database is.
  const setZone = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), 'Pacific/Auckland'); END $$`;
  await first.withConnection((connection) => connection.query(setZone));
  await first.close();
  [database, replica] = [open(), open()];
  activity = new ActivityRepository(database);
});

afterAll(async () => {
  await Promise.all([database.close(), replica.close()]);
  await testDatabase.drop();
});

beforeEach(async () => {
  await query('TRUNCATE daily_activity');
  await database.withConnection(async (connection) => {
    await connection.query(
      "BEGIN; SET LOCAL latchkey.audit_maintenance = 'on'; TRUNCATE auth_audit_logs; COMMIT",
    );
  });
  await query("UPDATE activity_cursor SET counted_to = '0', counted_at = NULL, counted_since = '-infinity'");
});

const query = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  database.withConnection(async (connection) => (await connection.query<Row>(text, values)).rows);

interface Entry {
  event?: string;
  outcome?: string;
  user?: string | null;
  at?: string;
}

const INSERT = `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id, occurred_at)
  VALUES (gen_random_uuid(), $1, $2, 'anonymous', $3, coalesce($4::timestamptz, now()))`;

const valuesOf = ({ event = 'login', outcome = 'success', user = randomUUID(), at }: Entry) => [
  event,
  outcome,
  user,
  at ?? null,
];

async function write(...entries: Entry[]): Promise<void> {
  for (const entry of entries) await query(INSERT, valuesOf(entry));
}

/** Counts until everything is counted that was committed: transactions of other tests hold the horizon back meanwhile. */
async function settle(): Promise<void> {
  const isBehind = `SELECT FROM auth_audit_logs, activity_cursor
    WHERE transaction_id > counted_to AND event IN ('login', 'registration')`;
  await expect
    .poll(
      async () => {
        await activityCounter(database).catchUp();
        return query(isBehind);
      },
      { timeout: 20_000 },
    )
    .toEqual([]);
}

const numbers = () =>
  query(`SELECT day::text, sign_ins::int, failed_sign_ins::int AS failed, registrations::int, signed_in_users::int AS users
         FROM daily_activity ORDER BY day`);

const day = (name: string, [signIns, failed, registrations, users]: number[]) => ({
  day: name,
  sign_ins: signIns,
  failed,
  registrations,
  users,
});

it('sign-ins, failures and registrations are counted by their day in UTC, and a user once a day', async () => {
  const [ann, ben] = [randomUUID(), randomUUID()];
  await write(
    { user: ann, at: '2026-03-01T00:00:00Z' },
    { user: ann, at: '2026-03-01T23:59:59.999Z' },
    { user: ben, at: '2026-03-01T12:00:00Z' },
    { outcome: 'failure', user: null, at: '2026-03-01T12:00:00Z' },
    { outcome: 'denied', user: ben, at: '2026-03-01T12:00:00Z' },
    { event: 'logout', user: ben, at: '2026-03-01T12:00:00Z' },
    { event: 'registration', at: '2026-03-02T00:00:00Z' },
    { event: 'registration', outcome: 'denied', at: '2026-03-02T00:00:00Z' },
    { user: ann, at: '2026-03-02T00:00:01Z' },
  );
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [3, 1, 0, 2]), day('2026-03-02', [1, 0, 1, 1])]);
});

it('a user who signs in again later that day is not counted again, in whatever order the times are', async () => {
  const ann = randomUUID();
  await write({ user: ann, at: '2026-03-01T12:00:00Z' });
  await settle();
  // As after the clock of the database was set back, twice.
  await write({ user: ann, at: '2026-03-01T10:00:00Z' }, { user: ann, at: '2026-02-20T10:00:00Z' });
  await settle();
  await write({ user: ann, at: '2026-03-01T09:00:00Z' }, { user: ann, at: '2026-02-20T09:00:00Z' });
  await settle();
  expect(await numbers()).toEqual([day('2026-02-20', [2, 0, 0, 1]), day('2026-03-01', [3, 0, 0, 1])]);
});

it('an entry that commits after younger ones is counted when it has committed, and once', async () => {
  const ann = randomUUID();
  await replica.withConnection(async (late) => {
    await late.query('BEGIN');
    await late.query(INSERT, valuesOf({ user: ann, at: '2026-03-01T08:00:00Z' }));
    await write({ user: ann, at: '2026-03-01T12:00:00Z' });
    await activityCounter(database).catchUp();
    expect(await numbers()).toEqual([]);
    await late.query('COMMIT');
  });
  await settle();
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [2, 0, 0, 1])]);
});

it('an entry that is rolled back is not counted', async () => {
  await replica.withConnection(async (late) => {
    await late.query('BEGIN');
    await late.query(INSERT, valuesOf({ at: '2026-03-01T08:00:00Z' }));
    await late.query('ROLLBACK');
  });
  await write({ at: '2026-03-01T09:00:00Z' });
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [1, 0, 0, 1])]);
});

it('two replicas that count at the same time count each entry once, while more are written', async () => {
  const users = Array.from({ length: 10 }, () => randomUUID());
  const other = new ActivityRepository(replica);
  for (let round = 0; round < 12; round += 1) {
    await Promise.all([
      write(...users.map((user) => ({ user, at: '2026-03-01T12:00:00Z' }))),
      activity.count(7),
      other.count(3),
      activity.count(5),
    ]);
  }
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [120, 0, 0, 10])]);
});

it('a process that ends while it counts has counted nothing, and the next one counts it', async () => {
  await write({ at: '2026-03-01T12:00:00Z' }, { at: '2026-03-01T12:00:00Z' });
  await settle();
  await query("TRUNCATE daily_activity; UPDATE activity_cursor SET counted_to = '0'");
  const broken = new ActivityRepository(replica);
  await query(`CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
  // Numbers and cursor are written already when the connection ends.
  await query(
    'CREATE TRIGGER crash AFTER INSERT ON daily_activity FOR EACH STATEMENT EXECUTE FUNCTION crash()',
  );
  await expect(broken.count(100)).rejects.toThrow();
  await query('DROP TRIGGER crash ON daily_activity');
  await query('DROP FUNCTION crash');
  expect(await numbers()).toEqual([]);
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [2, 0, 0, 2])]);
});

it('numbers stay when the entries are removed, and entries written later are added to them', async () => {
  await write({ at: '2026-03-01T12:00:00Z' });
  await settle();
  await database.withConnection(async (connection) => {
    await connection.query(
      "BEGIN; SET LOCAL latchkey.audit_maintenance = 'on'; DELETE FROM auth_audit_logs; COMMIT",
    );
  });
  await write({ at: '2026-03-01T13:00:00Z' });
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [2, 0, 0, 2])]);
});

it('the erasure of a user leaves the numbers as they are, also where the user signs in again that day', async () => {
  const ann = randomUUID();
  await write({ user: ann, at: '2026-03-01T12:00:00Z' });
  await settle();
  await database.transaction((trx) =>
    new AuditErasureRepository(database).forget({ userId: ann, terms: ['ann'] }, trx),
  );
  await write({ user: ann, at: '2026-03-01T13:00:00Z' });
  await settle();
  expect(await numbers()).toEqual([day('2026-03-01', [2, 0, 0, 1])]);
});

it('in a database that was restored into another cluster, counting goes on, and nothing counts twice', async () => {
  const ann = randomUUID();
  await write({ user: ann, at: new Date(Date.now() - 60_000).toISOString() });
  await settle();
  // Ids of transactions there are lower than those that the rows and the cursor have kept.
  await query("UPDATE activity_cursor SET counted_to = '9000000000000000000'");
  await write({ user: ann });
  await settle();
  await settle();
  const sums = `SELECT sum(sign_ins)::int AS sign_ins FROM daily_activity`;
  expect(await query(sums)).toEqual([{ sign_ins: 2 }]);
});

it('the last days are read without gaps, today last', async () => {
  await write({ event: 'registration' }, { at: new Date(Date.now() - 2 * 86_400_000).toISOString() });
  await settle();
  const { days, countedAt } = await activity.read(3);
  expect(countedAt).toBeInstanceOf(Date);
  expect(days.map(({ day: _, ...counts }) => counts)).toEqual([
    { signIns: 1, failedSignIns: 0, registrations: 0, signedInUsers: 1 },
    { signIns: 0, failedSignIns: 0, registrations: 0, signedInUsers: 0 },
    { signIns: 0, failedSignIns: 0, registrations: 1, signedInUsers: 0 },
  ]);
  expect(days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10));
});

it('failed sign-ins of the last day are grouped by IP address', async () => {
  const fail = (address: string, hours: number) =>
    query(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, ip_address, occurred_at)
       VALUES (gen_random_uuid(), 'login', 'failure', 'anonymous', $1, now() - make_interval(hours => $2::int))`,
      [address, hours],
    );
  for (const hours of [1, 2, 3]) await fail('203.0.113.11', hours);
  await fail('198.51.100.7', 1);
  await fail('192.0.2.1', 25);
  expect(await activity.failingAddresses(8)).toMatchObject([
    { ipAddress: '203.0.113.11', failures: 3 },
    { ipAddress: '198.51.100.7', failures: 1 },
  ]);
  expect(await activity.failingAddresses(1)).toHaveLength(1);
});
