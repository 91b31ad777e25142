import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditRepository } from '../../../../test/support/audit-repositories.js';
import { openConnection } from '../../../../test/support/open-connection.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { truncate } from '../../../../test/support/truncate.js';
import { unknownClient } from '../kernel/client-info.js';
import { newId } from '../kernel/id.js';
import { Database } from '../storage/database.js';
import type { AuditEventName } from './audit-event.js';
import { AuditListRepository } from './audit-list-repository.js';
import { AuditLog } from './audit-log.js';
import type { AuditRepository } from './audit-repository.js';
import type { AuditFilter } from './audit-schema.js';
import type { AuditTail } from './audit-tail.js';

let testDatabase: TestDatabase;
let database: Database;
let audit: AuditRepository;
let log: AuditLog;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
  audit = auditRepository(database);
  log = new AuditLog(new AuditListRepository(database));
});

beforeEach(() => database.run((knex) => knex.raw(truncate('auth_audit_logs'))));

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Writes an entry that is identified by its number. */
async function happens(number: number, event: AuditEventName = 'login'): Promise<void> {
  const actor = { kind: 'anonymous' as const };
  await audit.insert({ event, outcome: 'success', actor, client: unknownClient, details: { number } });
}

/** Entries with the times of long ago, a second apart, in one go. */
async function happenedLongAgo(count: number): Promise<void> {
  await database.run((knex) =>
    knex.raw(
      `INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, details)
       SELECT gen_random_uuid(), timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second', 'login', 'success',
         'anonymous', jsonb_build_object('number', n) FROM generate_series(1, ?) AS n`,
      [count],
    ),
  );
}

const numbersOf = (entries: { details: Record<string, unknown> }[]): unknown[] =>
  entries.map(({ details }) => details.number);

const next = async (tail: AuditTail): Promise<unknown[]> => numbersOf(await tail.next());

const follow = (filter: AuditFilter = {}, last = 0): AuditTail => log.follow(filter, { last });

/** Opens a connection whose transaction has written an entry that is not visible yet. */
async function openTransaction(
  number: number,
  begin = 'BEGIN',
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<{ commit: () => Promise<void> }> {
  const client = await openConnection(testDatabase.url);
  await client.query(begin);
  await meanwhile();
  await client.query(
    `INSERT INTO auth_audit_logs (id, event, outcome, actor, details) VALUES ($1, 'login', 'success', 'anonymous', $2)`,
    [newId(), { number }],
  );
  return {
    commit: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

describe('the tail of the audit log', () => {
  it('the tail begins with the last entries, oldest first, and continues with new ones', async () => {
    for (const number of [1, 2, 3, 4]) await happens(number);
    const tail = follow({}, 2);
    expect(await next(tail)).toEqual([3, 4]);
    expect(await next(tail)).toEqual([]);
    await happens(5);
    await happens(6);
    expect(await next(tail)).toEqual([5, 6]);
    expect(await next(tail)).toEqual([]);
  });

  it('the tail may begin with no entries, and then returns new ones only', async () => {
    await happens(1);
    const tail = follow();
    expect(await next(tail)).toEqual([]);
    expect(await next(tail)).toEqual([]);
    await happens(2);
    expect(await next(tail)).toEqual([2]);
  });

  it('the tail returns an entry that commits after later ones were returned', async () => {
    const tail = follow({}, 10);
    await next(tail);
    const late = await openTransaction(1);
    await happens(2);
    expect(await next(tail)).toEqual([2]);
    await late.commit();
    expect(await next(tail)).toEqual([1]);
    expect(await next(tail)).toEqual([]);
  });

  it('the tail returns an entry whose transaction began before the tail did', async () => {
    const late = await openTransaction(1);
    await happens(2);
    const tail = follow({}, 10);
    expect(await next(tail)).toEqual([2]);
    await late.commit();
    expect(await next(tail)).toEqual([1]);
  });

  it('the tail returns late entries that are older than all returned ones, however old they are', async () => {
    const tail = follow();
    await next(tail);
    await happens(1);
    await next(tail);
    const ago = (seconds: number, number: number) =>
      database.run((knex) =>
        knex.raw(
          `INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, details)
           VALUES (?, now() - make_interval(secs => ?), 'login', 'success', 'anonymous', ?)`,
          [newId(), seconds, { number }],
        ),
      );
    await ago(25, 2);
    await ago(60, 3);
    expect(await next(tail)).toEqual([3, 2]);
    expect(await next(tail)).toEqual([]);
  });

  it('the tail returns each entry once, whatever was committed between its pages', async () => {
    await happenedLongAgo(700);
    const tail = follow({ from: new Date('2026-01-01T00:00:00Z') });
    const first = await next(tail);
    // Its time is among those of the first page, and it was committed after that.
    await database.run((knex) =>
      knex.raw(
        `INSERT INTO auth_audit_logs (id, occurred_at, event, outcome, actor, details)
         VALUES (?, '2026-01-01T00:00:10.5Z', 'login', 'success', 'anonymous', '{"number": 10.5}')`,
        [newId()],
      ),
    );
    await happens(9999);
    const second = await next(tail);
    expect([first.length, second.length]).toEqual([500, 200]);
    expect(await next(tail)).toEqual([10.5, 9999]);
    expect(await next(tail)).toEqual([]);
  });

  it.each([
    ['no other transaction', false],
    ['an older transaction', true],
  ])(
    'while %s runs, the tail returns no entry again that an erasure changed, and none from before a restore',
    async (_what, isHeld) => {
      const older = isHeld ? await openTransaction(99) : undefined;
      for (const number of [1, 2]) await happens(number);
      // The database was restored: the entry has an id that this cluster has not assigned yet.
      await database.run((knex) =>
        knex.raw(`BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE auth_audit_logs SET transaction_id = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 3)::text::xid8
        WHERE details->>'number' = '1'; COMMIT`),
      );
      const tail = follow({}, 10);
      expect(await next(tail)).toEqual([1, 2]);
      await database.run((knex) =>
        knex.raw(`BEGIN; SET LOCAL latchkey.audit_erasure = 'on';
        UPDATE auth_audit_logs SET user_agent = NULL WHERE details->>'number' = '2'; COMMIT`),
      );
      // Transactions until the id is that of one of this cluster.
      for (let turn = 0; turn < 8; turn += 1) await happens(10 + turn);
      const later = await next(tail);
      expect(later).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
      expect(await next(tail)).toEqual([]);
      await older?.commit();
      expect(await next(tail)).toEqual(isHeld ? [99] : []);
    },
  );

  it('the tail returns all entries since an instant, however many, each once and in order', async () => {
    await happenedLongAgo(1200);
    const tail = follow({ from: new Date('2026-01-01T00:00:11Z') });
    const seen: unknown[] = [];
    for (let found = await next(tail); found.length > 0; found = await next(tail)) seen.push(...found);
    expect(seen).toEqual(Array.from({ length: 1190 }, (_, index) => index + 11));
    await happens(9999);
    expect(await next(tail)).toEqual([9999]);
  });

  it('the tail returns only entries that match the filter', async () => {
    const tail = follow({ event: 'logout' }, 10);
    await happens(1, 'logout');
    expect(await next(tail)).toEqual([1]);
    await happens(2);
    await happens(3, 'logout');
    expect(await next(tail)).toEqual([3]);
  });

  it('the tail loses no entry after a failed read', async () => {
    const away = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: true });
    const tail = new AuditLog(new AuditListRepository(away)).follow({}, { last: 0 });
    await tail.next();
    await happens(1);
    await database.run((knex) => knex.raw(`ALTER TABLE auth_audit_logs RENAME TO hidden`));
    await expect(tail.next()).rejects.toThrow();
    await database.run((knex) => knex.raw('ALTER TABLE hidden RENAME TO auth_audit_logs'));
    await happens(2);
    expect(await next(tail)).toEqual([1, 2]);
    await away.close();
  });
});

describe('the tail that continues after an entry', () => {
  const idOf = async (number: number): Promise<string> =>
    (await log.list()).items.find(({ details }) => details.number === number)?.id ?? '';
  const after = async (number: number, filter: AuditFilter = {}): Promise<AuditTail> =>
    log.follow(filter, { after: await idOf(number) });

  it('the tail continues after each entry exactly with those that follow', async () => {
    for (const number of [1, 2, 3, 4]) await happens(number);
    for (const number of [1, 2, 3, 4]) {
      const tail = await after(number);
      expect(await next(tail)).toEqual([1, 2, 3, 4].slice(number));
      expect(await next(tail)).toEqual([]);
    }
    const tail = await after(4);
    await happens(5);
    expect(await next(tail)).toEqual([5]);
  });

  it.each([
    ['its transaction', 'BEGIN'],
    ['a savepoint of its transaction', 'BEGIN; SELECT pg_current_xact_id(); SAVEPOINT one'],
  ])(
    'the tail returns an entry of %s that was committed after the last returned one',
    async (_what, begin) => {
      await happens(1);
      const late = await openTransaction(2, begin);
      await happens(3);
      expect(await next(await after(3))).toEqual([]);
      await late.commit();
      expect(await next(await after(3))).toEqual([2]);
      expect(await next(await after(2))).toContain(3);
    },
  );

  it('the tail returns an entry that was committed before an earlier one, and follows it in their order', async () => {
    await happens(1);
    // Its transaction, which is the time of its entry, begins first, and its entry is written when the other one is committed.
    const early = await openTransaction(2, `BEGIN; SELECT pg_current_xact_id()`, () => happens(3));
    await early.commit();
    const page = numbersOf(await (await after(1)).next());
    expect(page).toEqual([2, 3]);
    // A reader that stops between them has not seen the second one, which the snapshot of the first one shows.
    expect(await next(await after(2))).toEqual([3]);
  });

  it('an entry that an erasure changed is neither lost nor loses others', async () => {
    for (const number of [1, 2, 3]) await happens(number);
    await database.run((knex) =>
      knex.raw(`BEGIN; SET LOCAL latchkey.audit_erasure = 'on';
        UPDATE auth_audit_logs SET user_agent = NULL WHERE details->>'number' = '2'; COMMIT`),
    );
    expect(await next(await after(1))).toEqual([2, 3]);
    expect(await next(await after(2))).toEqual([3]);
  });

  it('a reader that stops after any entry and continues there loses none, while others write at once', async () => {
    await happens(0);
    const seen = new Set<unknown>();
    let position = await idOf(0);
    const writers = [1, 2, 3].map(async (writer) => {
      for (let turn = 0; turn < 20; turn += 1) {
        const late = await openTransaction(writer * 100 + turn);
        await happens(writer * 100 + 50 + turn);
        await late.commit();
      }
    });
    const progress = { isDone: false };
    const writing = Promise.all(writers).then(() => (progress.isDone = true));
    const read = async (): Promise<void> => {
      // Stops in the middle of a page.
      const page = await log.follow({}, { after: position }).next();
      for (const entry of page.slice(0, Math.ceil(page.length / 2))) {
        seen.add(entry.details.number);
        position = entry.id;
      }
    };
    while (!progress.isDone) await read();
    await writing;
    const tail = log.follow({}, { after: position });
    for (let page = await tail.next(); page.length > 0; page = await tail.next())
      for (const entry of page) seen.add(entry.details.number);
    expect(seen.size).toBe(120);
  });

  it('the tail continues among entries of before the migration, and with a filter', async () => {
    await happenedLongAgo(20);
    await database.run((knex) =>
      knex.raw(`BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE auth_audit_logs SET transaction_id = NULL, snapshot = NULL; COMMIT`),
    );
    expect(await next(await after(18))).toEqual([19, 20]);
    await happens(21, 'logout');
    expect(await next(await after(19))).toEqual([20, 21]);
    expect(await next(await after(19, { event: 'logout' }))).toEqual([21]);
  });

  it.each<[string, () => unknown, string]>([
    ['a filter', () => log.follow({ after: newId() } as AuditFilter), 'has unknown fields: after'],
    ['a start', () => log.follow({}, { afer: newId() } as never), 'has unknown fields: afer'],
    ['both starts', () => log.follow({}, { last: 1, after: newId() }), 'cannot be combined'],
    ['an id that is none', () => log.follow({}, { after: '7' }), 'after: must be a UUID'],
  ])('%s that the tail does not know is refused', (_what, call, message) => {
    expect(call).toThrow(message);
  });

  it('a list with an unknown field is refused, and so is an entry that does not exist', async () => {
    await expect(log.list({ evnt: 'login' } as AuditFilter)).rejects.toThrow('has unknown fields: evnt');
    await expect(log.follow({}, { after: newId() }).next()).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});
