import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '@latchkey/core/internal/settings/read-settings';
import { Database } from '@latchkey/core/internal/storage/database';
import { activityCounter } from '../../../../test/support/activity-counter.js';
import { auditRepository } from '../../../../test/support/audit-repositories.js';
import { insertUserBy } from '../../../../test/support/open-session.js';
import {
  PastRows,
  type PastReset,
  type PastRow,
  type PastSession,
} from '../../../../test/support/past-rows.js';
import type { Sql } from '../../../../test/support/service.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { truncate } from '../../../../test/support/truncate.js';
import { MaintenanceService } from './maintenance-service.js';
import { RetentionRepository } from './retention-repository.js';
import { retentionsOf } from './retention.js';

// For any rows and any batches, a few lines of logic predict the removed rows.
const DAY = 86_400;
const SETTINGS = { APP_ENV: 'test', SESSION_MAX_LIFETIME: '2d', REFRESH_TOKEN_TTL: '1d' };

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
    retentionsOf(readSettings(SETTINGS)),
  );
  past = new PastRows(sql, (await insertUserBy(database)).id);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const sql: Sql = (text, values) =>
  database.withConnection(async (connection) => {
    const { rows } = await connection.query<Record<string, unknown>>(text, values);
    return rows;
  });

/** Returns ages between full hours, where half a minute of running time has no effect. */
const ago = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((halfDays) => halfDays * (DAY / 2) + 1800);

const sessions = fc.array(
  fc.record({ expired: ago(-10, 20), revoked: fc.option(ago(0, 20), { nil: undefined }) }),
  { maxLength: 12 },
);
const resets = fc.array(
  fc.record({
    expired: ago(-2, 20),
    used: fc.option(ago(0, 20), { nil: undefined }),
    created: ago(21, 22),
  }),
  { maxLength: 8 },
);
const keeps = fc.integer({ min: 2, max: 12 }).map((days) => days * DAY);

const sessionGoes = ({ expired, revoked }: PastSession, keep: number): boolean =>
  revoked === undefined ? expired > keep : expired > 0 && revoked > keep;

const resetGoes = ({ expired, used }: PastReset, keep: number, openRequest: number | undefined): boolean => {
  const ended = used ?? expired;
  return ended > keep && (openRequest === undefined || ended > openRequest);
};

async function survivors(rows: readonly PastRow[]): Promise<boolean[]> {
  return Promise.all(rows.map((row) => past.isThere(row)));
}

it('a clean-up removes exactly the rows that its plan counts and the model predicts', async () => {
  const order = { sessions, resets, keep: keeps, batchSize: fc.integer({ min: 1, max: 9 }) };
  // An hour apart from the ends of all rows.
  const openRequest = fc.option(
    ago(0, 20).map((seconds) => seconds + 3600),
    { nil: undefined },
  );
  await fc.assert(
    fc.asyncProperty(fc.record({ ...order, openRequest }), async (given) => {
      await sql(truncate('sessions', 'password_reset_tokens', 'mail_outbox', 'auth_audit_logs'));
      const sessionRows = await Promise.all(given.sessions.map((session) => past.session(session)));
      const resetRows = await Promise.all(given.resets.map((reset) => past.reset(reset)));
      if (given.openRequest !== undefined) {
        await past.mail({ kind: 'password_reset', status: 'DEAD', created: given.openRequest, ended: 0 });
      }
      const request = { keep: { sessions: given.keep, resets: given.keep } };
      const plans = await maintenance.plan(request);
      const { removed } = await maintenance.run({ ...request, batchSize: given.batchSize });
      expect(await survivors(sessionRows)).toEqual(
        given.sessions.map((session) => !sessionGoes(session, given.keep)),
      );
      expect(await survivors(resetRows)).toEqual(
        given.resets.map((reset) => !resetGoes(reset, given.keep, given.openRequest)),
      );
      expect(Object.fromEntries(plans.map(({ kind, count }) => [kind, count]))).toEqual(removed);
    }),
    { numRuns: 40 },
  );
});
