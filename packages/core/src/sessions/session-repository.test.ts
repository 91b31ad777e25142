import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionRepository } from '../../../../test/support/audit-repositories.js';
import { insertUserBy, openSession } from '../../../../test/support/open-session.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { silentLogger } from '../kernel/logger.js';
import { Database } from '../storage/database.js';
import { LastUsedRecorder } from './last-used-recorder.js';
import type { SessionRepository } from './session-repository.js';
import { SessionStateQueries } from './session-state-queries.js';

let testDatabase: TestDatabase;
let database: Database;
let sessions: SessionRepository;
let states: SessionStateQueries;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 4, preparedStatements: true });
  sessions = sessionRepository(database);
  states = new SessionStateQueries(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const newSession = async () => {
  const user = await insertUserBy(database);
  return { user, ...(await openSession(database, user.id)) };
};
const stateOf = async (sessionId: string) => (await states.check([sessionId])).get(sessionId);
const revoke = async (sessionId: string) =>
  (await database.transaction((trx) => sessions.revokeTree(sessionId, 'revoked', trx))).any;
const change = (sessionId: string, values: Record<string, unknown>) =>
  database.run((knex) => knex('sessions').where({ id: sessionId }).update(values));

describe('a new session', () => {
  it('a session that requires a proved mailbox is inserted for a user with one, and for no other', async () => {
    const required = { requiresVerifiedEmail: true };
    const proved = await insertUserBy(database);
    expect(await openSession(database, proved.id, required)).toHaveProperty('sessionId');
    const unproved = await insertUserBy(database, { emailVerified: false });
    await expect(openSession(database, unproved.id, required)).rejects.toThrow('not opened');
    expect(await openSession(database, unproved.id)).toHaveProperty('sessionId');
  });
});

describe('a revoked session', () => {
  it('a revoked session cannot become active again by any statement', async () => {
    const { sessionId } = await newSession();
    expect(await revoke(sessionId)).toBe(true);
    await expect(change(sessionId, { is_revoked: false, revoked_at: null })).rejects.toThrow();
    expect((await stateOf(sessionId))?.isRevoked).toBe(true);
  });

  it('a revoked session is not revoked a second time', async () => {
    const { sessionId } = await newSession();
    await revoke(sessionId);
    expect(await revoke(sessionId)).toBe(false);
  });
});

describe('the state of sessions', () => {
  it('the state of all known sessions is returned with their users', async () => {
    const [one, two] = [await newSession(), await newSession()];
    const found = await states.check([one.sessionId, randomUUID(), two.sessionId]);
    expect([...found.keys()].sort()).toEqual([one.sessionId, two.sessionId].sort());
    expect(found.get(one.sessionId)).toMatchObject({
      isRevoked: false,
      isExpired: false,
      isUseDue: false,
      user: { id: one.user.id, email: one.user.email },
    });
  });

  it('an expired session is reported as expired', async () => {
    const { sessionId } = await newSession();
    await database.run((knex) =>
      knex('sessions').where({ id: sessionId }).update({ expires_at: knex.fn.now() }),
    );
    expect((await stateOf(sessionId))?.isExpired).toBe(true);
  });
});

describe('many sessions of a user', () => {
  it('all sessions of a user, or all but one, are revoked together, and only active ones are counted', async () => {
    const user = await insertUserBy(database);
    const stranger = await newSession();
    const [kept, first, second, expired] = await Promise.all(
      [1, 2, 3, 4].map(() => openSession(database, user.id)),
    );
    await change(expired?.sessionId ?? '', { expires_at: new Date(0) });
    const except = { exceptSessionId: kept?.sessionId ?? '' };
    const { activeIds: ended } = await database.transaction((trx) =>
      sessions.revokeAllOf(user.id, 'logout_others', except, trx),
    );
    expect(ended.sort()).toEqual([first?.sessionId, second?.sessionId].sort());
    expect((await stateOf(kept?.sessionId ?? ''))?.isRevoked).toBe(false);
    expect((await stateOf(expired?.sessionId ?? ''))?.isRevoked).toBe(true);
    expect((await stateOf(stranger.sessionId))?.isRevoked).toBe(false);
  });
});

describe('a session is not opened', () => {
  it.each([
    ['inactive', { is_active: false }],
    ['not approved', { approval_status: 'REJECTED' }],
    ['of another token version than was verified', { token_version: 2 }],
  ])('no session is created for a user who is %s by now', async (_what, values) => {
    const user = await insertUserBy(database);
    await database.run((knex) => knex('users').where({ id: user.id }).update(values));
    await expect(openSession(database, user.id)).rejects.toThrow('not opened');
    const rows = await database.run((knex) => knex('sessions').where({ user_id: user.id }));
    expect(rows).toEqual([]);
  });
});

describe('the use of sessions', () => {
  const lastUsed = async (sessionId: string) => {
    const rows = await database.run((knex) =>
      knex('sessions')
        .where({ id: sessionId })
        .select<{ recent: boolean }[]>(knex.raw("last_used_at > now() - interval '30 seconds' AS recent")),
    );
    return rows[0]?.recent === true ? 'now' : 'before';
  };
  const unused = async () => {
    const { sessionId } = await newSession();
    await change(sessionId, { last_used_at: new Date(Date.now() - 300_000) });
    return sessionId;
  };

  it('the use of a session is recorded once a minute', async () => {
    const sessionId = await unused();
    expect((await stateOf(sessionId))?.isUseDue).toBe(true);
    await sessions.touch([sessionId]);
    expect((await stateOf(sessionId))?.isUseDue).toBe(false);
  });

  it('uses are recorded in one batch, and not for revoked sessions', async () => {
    const recorder = new LastUsedRecorder(sessions, silentLogger);
    const [live, ended] = [await unused(), await unused()];
    await revoke(ended);
    for (const id of [live, ended, live]) recorder.record(id);
    expect(await lastUsed(live)).toBe('before');
    await recorder.flush();
    expect([await lastUsed(live), await lastUsed(ended)]).toEqual(['now', 'before']);
  });

  it('a use that could not be recorded causes no error', async () => {
    const closed = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: true });
    await closed.close();
    const recorder = new LastUsedRecorder(sessionRepository(closed), silentLogger);
    recorder.record(randomUUID());
    await recorder.flush();
  });
});
