import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '@latchkey/core/internal/settings/read-settings';
import { Database } from '@latchkey/core/internal/storage/database';
import { activityCounter } from '../../../../test/support/activity-counter.js';
import { auditRepository } from '../../../../test/support/audit-repositories.js';
import { databaseContent } from '../../../../test/support/database-content.js';
import { insertUserBy } from '../../../../test/support/open-session.js';
import { PastRows, type PastRow } from '../../../../test/support/past-rows.js';
import type { Sql } from '../../../../test/support/service.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { truncate } from '../../../../test/support/truncate.js';
import type { CleanupOrder } from './cleanup.js';
import { MaintenanceService } from './maintenance-service.js';
import { RetentionRepository } from './retention-repository.js';
import { retentionsOf } from './retention.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

let testDatabase: TestDatabase;
let database: Database;
let maintenance: MaintenanceService;
let past: PastRows;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 6, preparedStatements: true });
  maintenance = new MaintenanceService(
    {
      database,
      rows: new RetentionRepository(database),
      audit: auditRepository(database),
      activityCounter: activityCounter(database),
    },
    retentionsOf(readSettings({ APP_ENV: 'test' })),
  );
  past = new PastRows(sql, (await insertUserBy(database)).id);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(() =>
  sql(
    truncate(
      'sessions',
      'password_reset_tokens',
      'invitations',
      'mail_outbox',
      'revocations',
      'company_role_revisions',
      'auth_audit_logs',
    ),
  ),
);

const sql: Sql = (text, values) =>
  database.withConnection(async (connection) => {
    const { rows } = await connection.query<Record<string, unknown>>(text, values);
    return rows;
  });

const cleanupRows = () =>
  sql(`SELECT actor, details FROM auth_audit_logs WHERE event = 'cleanup' ORDER BY id`);

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('a row at the end of its keep time', () => {
  type Make = (ended: number) => Promise<PastRow>;
  it.each<[string, number, Make]>([
    ['an expired session', 30 * DAY, (expired) => past.session({ expired })],
    ['a revoked session', 30 * DAY, (revoked) => past.session({ revoked, expired: HOUR })],
    [
      'a session that was revoked after it expired',
      30 * DAY,
      (revoked) => past.session({ revoked, expired: 60 * DAY }),
    ],
    ['a used reset token', 7 * DAY, (used) => past.reset({ used, created: used + MINUTE, expired: used })],
    [
      'a replaced reset token',
      7 * DAY,
      (revoked) => past.reset({ revoked, created: 9 * DAY, expired: 8 * DAY }),
    ],
    ['an expired reset token', 7 * DAY, (expired) => past.reset({ expired, created: expired + MINUTE })],
    [
      'an accepted invitation',
      400 * DAY,
      (closed) => past.invitation({ status: 'ACCEPTED', closed, expired: 399 * DAY }),
    ],
    [
      'a cancelled invitation',
      400 * DAY,
      (closed) => past.invitation({ status: 'CANCELLED', closed, expired: 410 * DAY }),
    ],
    ['an expired invitation', 400 * DAY, (expired) => past.invitation({ status: 'PENDING', expired })],
    ['a replaced invitation', 400 * DAY, (expired) => past.invitation({ status: 'EXPIRED', expired })],
    ['a mail that was sent', 30 * DAY, (ended) => past.mail({ status: 'SENT', created: 40 * DAY, ended })],
    [
      'a mail that was skipped',
      30 * DAY,
      (ended) => past.mail({ status: 'SKIPPED', created: 40 * DAY, ended }),
    ],
    [
      'a mail that was given up',
      30 * DAY,
      (ended) => past.mail({ status: 'DEAD', created: 40 * DAY, ended }),
    ],
    ['an audit row', 100 * DAY, (occurred) => past.audit({ occurred })],
  ])('%s is removed after its keep time and not before', async (_what, keep, make) => {
    const [over, under] = [await make(keep + MINUTE), await make(keep - MINUTE)];
    const { removed } = await maintenance.run({ keep: { audit: 100 * DAY } });
    expect(await past.isThere(over)).toBe(false);
    expect(await past.isThere(under)).toBe(true);
    expect(Object.values(removed).reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});

describe('rows that still have an effect', () => {
  it.each<[string, () => Promise<PastRow>]>([
    ['a live session', () => past.session({ created: 300 * DAY, expired: -MINUTE })],
    [
      'a revoked session whose tokens are valid under former settings',
      () => past.session({ created: 300 * DAY, revoked: 299 * DAY, expired: -MINUTE }),
    ],
    ['a session that was revoked yesterday', () => past.session({ revoked: DAY, expired: 300 * DAY })],
    ['an invitation that can be accepted', () => past.invitation({ status: 'PENDING', expired: -MINUTE })],
    ['a revocation whose tokens may be valid', () => past.revocation({ created: DAY })],
    ['a mail that waits', () => past.mail({ status: 'PENDING', created: 900 * DAY })],
    ['an audit row without a keep time', () => past.audit({ occurred: 4000 * DAY })],
  ])('%s is kept, however old it is', async (_what, make) => {
    const row = await make();
    const keep = { sessions: 30 * DAY, resets: HOUR, invitations: 7 * DAY, mail: 0 };
    const { removed } = await maintenance.run({ keep });
    expect(removed).toEqual({
      sessions: 0,
      resets: 0,
      invitations: 0,
      'api-keys': 0,
      mail: 0,
      webhooks: 0,
      revocations: 0,
      roles: 0,
    });
    expect(await past.isThere(row)).toBe(true);
  });

  it('tokens of the last hour are kept, since replicas of the previous version count them', async () => {
    const row = await past.reset({ created: 59 * MINUTE, used: 58 * MINUTE, expired: 29 * MINUTE });
    await maintenance.run({ keep: { resets: HOUR } });
    expect(await past.isThere(row)).toBe(true);
  });

  it.each(['PENDING', 'DEAD'] as const)(
    'a used reset is kept while the mail of an earlier request is %s and may still be sent',
    async (status) => {
      const before = await past.reset({ created: 22 * DAY, used: 21 * DAY, expired: 21 * DAY });
      const after = await past.reset({ created: 20 * DAY, used: 19 * DAY, expired: 19 * DAY });
      const mail = await past.mail({ kind: 'password_reset', status, created: 20 * DAY, ended: 10 * DAY });
      await past.mail({ kind: 'password_changed', status: 'PENDING', created: 90 * DAY });
      await maintenance.run();
      expect([await past.isThere(before), await past.isThere(after)]).toEqual([false, true]);
      await sql(`UPDATE mail_outbox SET status = 'SKIPPED' WHERE id = $1`, [mail.id]);
      await maintenance.run();
      expect(await past.isThere(after)).toBe(false);
    },
  );

  it('no row refers to a removed row, so none is removed with it', async () => {
    const references = await sql(
      `SELECT conrelid::regclass::text AS table FROM pg_constraint WHERE contype = 'f' AND confrelid = ANY(
         ARRAY['sessions', 'password_reset_tokens', 'invitations', 'mail_outbox', 'revocations', 'company_role_revisions', 'auth_audit_logs']::regclass[])`,
    );
    expect(references).toEqual([]);
  });
});

describe('a plan', () => {
  it('a plan counts the removable rows of each kind with their ends, and changes nothing', async () => {
    await past.session({ expired: 31 * DAY });
    await past.session({ revoked: 90 * DAY, expired: 80 * DAY });
    await past.session({ expired: -DAY });
    await past.mail({ status: 'SENT', created: 50 * DAY });
    const before = await databaseContent(sql);
    const found: number[] = [];
    const plans = await maintenance.plan({}, (rows) => found.push(rows));
    expect(await databaseContent(sql)).toEqual(before);
    expect(plans.map(({ kind, keep, count }) => [kind, keep / DAY, count])).toEqual([
      ['sessions', 30, 2],
      ['resets', 7, 0],
      ['invitations', 400, 0],
      ['api-keys', 90, 0],
      ['mail', 30, 1],
      ['webhooks', 7, 0],
      ['revocations', 25 / 24, 0],
      ['roles', 400, 0],
    ]);
    const [sessions, resets] = plans;
    const ageInDays = (time: string | null | undefined) =>
      Math.round((Date.now() - Date.parse(time ?? '')) / 1000 / DAY);
    expect([sessions?.oldest, sessions?.newest, sessions?.before].map(ageInDays)).toEqual([90, 31, 30]);
    expect(sessions?.bytes).toBeGreaterThan(300);
    expect(resets).toMatchObject({ oldest: null, newest: null, bytes: 0 });
    expect(found.at(-1)).toBe(3);
  });

  it('a revocation is removed when no access token can be valid that it ends', async () => {
    const old = await past.revocation({ created: 26 * HOUR });
    const young = await past.revocation({ created: 24 * HOUR });
    const { removed } = await maintenance.run();
    expect([removed.revocations, await past.isThere(old), await past.isThere(young)]).toEqual([
      1,
      false,
      true,
    ]);
  });

  it('a run removes the rows that its plan counted', async () => {
    await times(12, (index) => past.session({ expired: (25 + index) * DAY }));
    await times(5, (index) => past.reset({ created: (6 + index) * DAY, expired: (5 + index) * DAY }));
    const planned = (await maintenance.plan()).map(({ kind, count }) => [kind, count]);
    expect(Object.entries((await maintenance.run()).removed)).toEqual(planned);
    expect((await maintenance.plan()).map(({ count }) => count)).toEqual(planned.map(() => 0));
  });
});

describe('a run', () => {
  const tenSessions = () => times(10, () => past.session({ created: 90 * DAY, expired: 80 * DAY }));

  it('a run removes in batches, each with an audit row that names the actor, the counts and the limits', async () => {
    await tenSessions();
    // Rows of one instant follow each other by their ids.
    await sql(`UPDATE sessions SET created_at = now() - interval '90 days'`);
    await past.mail({ status: 'SENT', created: 90 * DAY });
    const done: number[] = [];
    const order: CleanupOrder = { actor: { kind: 'operator', name: 'alice' }, batchSize: 4 };
    const result = await maintenance.run(order, (rows) => done.push(rows));
    expect(result).toEqual({
      removed: {
        sessions: 10,
        resets: 0,
        invitations: 0,
        'api-keys': 0,
        mail: 1,
        webhooks: 0,
        revocations: 0,
        roles: 0,
      },
      isComplete: true,
    });
    expect(done).toEqual([4, 8, 11]);
    const rows = await cleanupRows();
    expect(rows.map(({ actor }) => actor)).toEqual(['cli:alice', 'cli:alice', 'cli:alice']);
    expect(rows.map(({ details }) => (details as { removed: object }).removed)).toEqual([
      { sessions: 4 },
      { sessions: 4 },
      { sessions: 2, mail: 1 },
    ]);
    expect(rows[2]?.details).toMatchObject({
      before: {
        sessions: expect.stringMatching(/^\d{4}-.+Z$/) as string,
        mail: expect.any(String) as string,
      },
    });
  });

  it('a run that removes nothing writes no audit row, and the actor defaults to the host', async () => {
    await maintenance.run();
    expect(await cleanupRows()).toEqual([]);
    await past.session({ expired: 31 * DAY });
    await maintenance.run();
    expect(await cleanupRows()).toMatchObject([{ actor: 'machine:maintenance' }]);
  });

  it('a run removes rows of the requested kinds only', async () => {
    const session = await past.session({ expired: 99 * DAY });
    const mail = await past.mail({ status: 'SENT', created: 99 * DAY });
    expect(await maintenance.run({ only: ['mail'] })).toEqual({ removed: { mail: 1 }, isComplete: true });
    expect([await past.isThere(session), await past.isThere(mail)]).toEqual([true, false]);
  });

  it('a run finds removable rows behind any number of rows that are kept', async () => {
    const stay = await times(9, (index) => past.session({ created: (300 + index) * DAY, expired: -DAY }));
    const goes = await past.session({ created: 290 * DAY, expired: 31 * DAY });
    let transactions = 0;
    await maintenance.run({ batchSize: 2 }, () => (transactions += 1));
    expect(transactions).toBeGreaterThanOrEqual(5);
    expect(await past.isThere(goes)).toBe(false);
    expect(await Promise.all(stay.map((row) => past.isThere(row)))).not.toContain(false);
  });

  it('an aborted run stops after its batch, and the next run removes the rest', async () => {
    await tenSessions();
    const stop = new AbortController();
    const { removed, isComplete } = await maintenance.run(
      { batchSize: 3, pauseMs: 60_000, signal: stop.signal },
      () => stop.abort(),
    );
    expect({ removed: removed.sessions, isComplete }).toEqual({ removed: 3, isComplete: false });
    expect((await maintenance.run({ batchSize: 3 })).removed.sessions).toBe(7);
  });

  it('a run that is aborted before its start removes nothing', async () => {
    await tenSessions();
    const result = await maintenance.run({ signal: AbortSignal.abort() });
    expect(result).toMatchObject({ removed: { sessions: 0 }, isComplete: false });
  });

  it('a run pauses between batches', async () => {
    await tenSessions();
    const started = performance.now();
    await maintenance.run({ batchSize: 5, pauseMs: 150 });
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  it('a run neither waits for a locked row nor removes it', async () => {
    const [held, ...others] = await tenSessions();
    await database.transaction(async (trx) => {
      await trx('sessions').where({ id: held?.id }).forUpdate().select('id');
      expect((await maintenance.run()).removed.sessions).toBe(9);
    });
    expect(held && (await past.isThere(held))).toBe(true);
    expect(await Promise.all(others.map((row) => past.isThere(row)))).not.toContain(true);
  });

  it('a run keeps an invitation that is renewed during its scan', async () => {
    const row = await past.invitation({ status: 'PENDING', expired: 500 * DAY });
    await database.transaction(async (trx) => {
      await trx('invitations')
        .where({ id: row.id })
        .update({ expires_at: trx.raw(`now() + interval '7 days'`) });
      await maintenance.run();
    });
    await maintenance.run();
    expect(await past.isThere(row)).toBe(true);
  });

  it('simultaneous runs remove and count every row once', async () => {
    await times(60, (index) => past.session({ created: (90 + index) * DAY, expired: 80 * DAY }));
    await times(20, () => past.mail({ status: 'SENT', created: 90 * DAY }));
    const runs = await times(4, () => maintenance.run({ batchSize: 3 }));
    const sumOf = (kind: 'sessions' | 'mail') =>
      runs.reduce((sum, { removed }) => sum + (removed[kind] ?? 0), 0);
    expect([sumOf('sessions'), sumOf('mail')]).toEqual([60, 20]);
    const audited = (await cleanupRows()).map(
      ({ details }) => (details as { removed: { sessions?: number } }).removed,
    );
    expect(audited.reduce((sum, { sessions = 0 }) => sum + sessions, 0)).toBe(60);
  });

  it.each([
    { batchSize: 0 },
    { batchSize: 20_001 },
    { batchSize: 1.5 },
    { pauseMs: -1 },
    { pauseMs: 60_001 },
  ])('the order %j is rejected before any row is removed', async (order) => {
    const row = await past.session({ expired: 99 * DAY });
    await expect(maintenance.run(order)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await past.isThere(row)).toBe(true);
  });
});

it('audit rows are counted by day before they are removed', async () => {
  await sql('TRUNCATE daily_activity');
  const row = await past.audit({ occurred: 101 * DAY });
  // No transaction of another test that is older than the row is running any more, so the row can be counted.
  const settled =
    'SELECT transaction_id < pg_snapshot_xmin(pg_current_snapshot()) AS is_settled FROM auth_audit_logs WHERE id = $1';
  await expect.poll(() => sql(settled, [row.id]), { timeout: 20_000 }).toEqual([{ is_settled: true }]);
  await maintenance.run({ only: ['audit'], keep: { audit: 100 * DAY } });
  expect(await past.isThere(row)).toBe(false);
  expect(await sql('SELECT sign_ins::int FROM daily_activity')).toEqual([{ sign_ins: 1 }]);
});

it('after a run has removed audit rows, its connection may not remove any more', async () => {
  const single = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: true });
  onTestFinished(() => single.close());
  const alone = new MaintenanceService(
    {
      database: single,
      rows: new RetentionRepository(single),
      audit: auditRepository(single),
      activityCounter: activityCounter(single),
    },
    retentionsOf(readSettings({ APP_ENV: 'test' })),
  );
  const [old, young] = [await past.audit({ occurred: 101 * DAY }), await past.audit({ occurred: 99 * DAY })];
  await alone.run({ keep: { audit: 100 * DAY } });
  expect([await past.isThere(old), await past.isThere(young)]).toEqual([false, true]);
  const removal = single.run((knex) => knex('auth_audit_logs').delete());
  await expect(removal).rejects.toThrow();
  expect(await past.isThere(young)).toBe(true);
});
