import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { unknownClient } from '../kernel/client-info.js';
import { newId } from '../kernel/id.js';
import { silentLogger } from '../kernel/logger.js';
import { Database, statement } from '../storage/database.js';
import type { AuditEvent } from './audit-event.js';
import { auditInsertFrom, AuditRepository } from './audit-repository.js';
import type { AuthEvent } from './auth-event.js';
import { AuthEvents } from './auth-events.js';

let testDatabase: TestDatabase;
let database: Database;
let audit: AuditRepository;
const received: AuthEvent[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
  const events = new AuthEvents(silentLogger);
  events.on('*', (event) => void received.push(event));
  audit = new AuditRepository(database, events);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const FIND = statement(
  'test_audit_rows',
  `SELECT event, outcome, actor, actor_user_id, subject_user_id, company_id, session_id, ip_address, user_agent,
     request_id, details, acted_by_user_id, acted_by_name
   FROM auth_audit_logs WHERE request_id = $1`,
);

/** Returns the events of a request that listeners received. */
async function eventsOf(requestId: string | null): Promise<AuthEvent[]> {
  await nextTurn();
  return received.filter((event) => event.requestId === requestId);
}
const rowsOf = (requestId: string) => database.query(FIND, [requestId]);

/** Returns a row of its own for each test, found again by its request id. */
function fullEvent(): AuditEvent {
  const client = {
    ipAddress: '2001:db8::1',
    userAgent: `it's "quoted" \\ \u202e 👩‍💻`,
    deviceName: 'never written here',
    requestId: newId(),
    act: { sub: 'machine:crm', userId: newId(), name: `Grace's "team"` },
  };
  return {
    event: 'session_revoked',
    outcome: 'denied',
    actor: { kind: 'user', userId: newId() },
    subjectUserId: newId(),
    companyId: newId(),
    sessionId: newId(),
    client,
    details: { reason: `'; DROP TABLE users;--`, count: 3, nested: { list: [1, null] } },
  };
}

const expectedRow = (event: AuditEvent) => ({
  event: event.event,
  outcome: event.outcome,
  actor: 'user',
  actor_user_id: event.actor.kind === 'user' ? event.actor.userId : null,
  subject_user_id: event.subjectUserId,
  company_id: event.companyId,
  session_id: event.sessionId,
  ip_address: event.client.ipAddress,
  user_agent: event.client.userAgent,
  request_id: event.client.requestId,
  details: event.details,
  acted_by_user_id: event.client.act?.userId,
  acted_by_name: event.client.act?.name,
});

describe('an audit row', () => {
  it('an audit row holds all known facts, on its own and inside a transaction', async () => {
    const alone = fullEvent();
    await audit.insert(alone);
    expect(await rowsOf(alone.client.requestId ?? '')).toEqual([expectedRow(alone)]);

    const within = fullEvent();
    await database.transaction((trx) => audit.insert(within, trx));
    expect(await rowsOf(within.client.requestId ?? '')).toEqual([expectedRow(within)]);
  });

  it('an audit row holds null for unknown facts', async () => {
    const requestId = newId();
    const client = { ...unknownClient, requestId };
    await audit.insert({ event: 'login', outcome: 'failure', actor: { kind: 'anonymous' }, client });
    expect(await rowsOf(requestId)).toEqual([
      {
        event: 'login',
        outcome: 'failure',
        actor: 'anonymous',
        actor_user_id: null,
        subject_user_id: null,
        company_id: null,
        session_id: null,
        ip_address: null,
        user_agent: null,
        request_id: requestId,
        details: {},
        acted_by_user_id: null,
        acted_by_name: null,
      },
    ]);
  });

  it.each([
    [{ kind: 'machine', name: 'internal-key' }, 'machine:internal-key'],
    [{ kind: 'operator', name: 'alice' }, 'cli:alice'],
  ] as const)('names %j as %s, which is no user', async (actor, label) => {
    const event = { ...fullEvent(), actor };
    await audit.insert(event);
    expect(await rowsOf(event.client.requestId ?? '')).toMatchObject([{ actor: label, actor_user_id: null }]);
  });

  it('an audit row is rolled back with the transaction that fails after it', async () => {
    const event = fullEvent();
    const failing = database.transaction(async (trx) => {
      await audit.insert(event, trx);
      throw new Error('something later went wrong');
    });
    await expect(failing).rejects.toThrow();
    expect(await rowsOf(event.client.requestId ?? '')).toEqual([]);
  });
});

describe('listeners', () => {
  const eventOf = (event: AuditEvent) => ({
    id: expect.any(String) as string,
    event: event.event,
    outcome: event.outcome,
    actor: 'user',
    actorUserId: event.actor.kind === 'user' ? event.actor.userId : null,
    subjectUserId: event.subjectUserId,
    companyId: event.companyId,
    sessionId: event.sessionId,
    ipAddress: event.client.ipAddress,
    userAgent: event.client.userAgent,
    requestId: event.client.requestId,
    details: event.details,
    actedByUserId: event.client.act?.userId,
    actedByName: event.client.act?.name,
  });

  it('listeners are notified of a row, within a transaction after it has committed', async () => {
    const alone = fullEvent();
    await audit.insert(alone);
    expect(await eventsOf(alone.client.requestId)).toEqual([eventOf(alone)]);

    const within = fullEvent();
    await database.transaction(async (trx) => {
      await audit.insert(within, trx);
      expect(await eventsOf(within.client.requestId)).toEqual([]);
    });
    expect(await eventsOf(within.client.requestId)).toEqual([eventOf(within)]);
  });

  it('listeners are notified once of a transaction that was retried, and never of one that failed', async () => {
    const event = fullEvent();
    let runs = 0;
    const work = (fails: boolean) =>
      database.transaction(async (trx) => {
        await audit.insert(event, trx);
        runs += 1;
        if (runs === 1) await trx.raw(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40P01'; END $$`);
        if (fails) throw new Error('something later went wrong');
      });
    await expect(work(true)).rejects.toThrow('something later');
    expect(runs).toBe(2);
    expect(await eventsOf(event.client.requestId)).toEqual([]);
    runs = 0;
    await work(false);
    const [first, ...more] = await eventsOf(event.client.requestId);
    expect([runs, more]).toEqual([2, []]);
    expect(await database.query(IDS, [event.client.requestId])).toEqual([{ id: first?.id }]);
  });

  it('listeners are not notified of a row that the database rejected', async () => {
    const event = { ...fullEvent(), details: { text: 'a \0' } };
    await expect(audit.insert(event)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await eventsOf(event.client.requestId)).toEqual([]);
  });

  const IDS = statement('test_audit_ids', 'SELECT id FROM auth_audit_logs WHERE request_id = $1');
});

describe('an audit row written by a larger statement', () => {
  const insertFrom = (name: string, source: string) => {
    const insert = statement(
      name,
      `WITH cause AS (${source}) ${auditInsertFrom('cause', '$1')} RETURNING id`,
    );
    return (parameter: string) => database.query<{ id: string }>(insert, [parameter]);
  };

  it('an audit row of a larger statement appears once, however many rows the cause has', async () => {
    const event = fullEvent();
    const three = insertFrom('test_three_causes', 'SELECT generate_series(1, 3)');
    const written = await audit.insertBy(event, three);
    const rows = await rowsOf(event.client.requestId ?? '');
    expect(rows).toEqual([expectedRow(event)]);
    expect(written?.id).toBeDefined();
    expect(await eventsOf(event.client.requestId)).toHaveLength(1);
  });

  it('an audit row of a larger statement does not appear without its cause', async () => {
    const event = fullEvent();
    const none = insertFrom('test_no_cause', 'SELECT 1 WHERE false');
    expect(await audit.insertBy(event, none)).toBeUndefined();
    expect(await rowsOf(event.client.requestId ?? '')).toEqual([]);
    expect(await eventsOf(event.client.requestId)).toEqual([]);
  });
});
