import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessionRepository } from '../../../../test/support/audit-repositories.js';
import { insertUserBy, openSession } from '../../../../test/support/open-session.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { testKeys } from '../../../../test/support/test-keys.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { Database } from '../storage/database.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import type { AccessTokenClaims } from '../tokens/access-token-claims.js';
import { AccessTokens } from '../tokens/access-token.js';
import { KeySet } from '../tokens/key-set.js';
import { Authenticator } from './authenticator.js';
import { LastUsedRecorder } from './last-used-recorder.js';
import { RevocationMarkers } from './revocation-markers.js';
import { SessionCache, type SessionHint } from './session-cache.js';
import type { SessionRepository } from './session-repository.js';
import { SessionStateQueries } from './session-state-queries.js';

let testDatabase: TestDatabase;
let database: Database;
let sessions: SessionRepository;
let tokens: AccessTokens;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 4, preparedStatements: true });
  sessions = sessionRepository(database);
  const keys = await KeySet.fromPem(testKeys().privateKeyPem);
  tokens = new AccessTokens(keys, {
    issuer: 'https://auth.example.com',
    audience: 'latchkey',
    ttl: 900,
    clock: systemClock,
    logger: silentLogger,
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

let store: MemoryEphemeralStore;
let cache: SessionCache;
let markers: RevocationMarkers;
let authenticator: Authenticator;
beforeEach(() => {
  store = new MemoryEphemeralStore({ clock: systemClock });
  cache = new SessionCache(store, { ttl: 60, key: Buffer.alloc(32, 'k'), clock: systemClock });
  markers = new RevocationMarkers(store, { enabled: true, ttl: 60, logger: silentLogger });
  const uses = new LastUsedRecorder(sessions, silentLogger);
  authenticator = new Authenticator({
    accessTokens: tokens,
    sessionStates: new SessionStateQueries(database),
    cache,
    uses,
    clock: systemClock,
    staffNeedsSecondFactor: false,
  });
});

async function signedIn(claims: Partial<AccessTokenClaims> = {}) {
  const user = await insertUserBy(database);
  const { sessionId } = await openSession(database, user.id);
  const token = await tokens.issue({
    userId: user.id,
    sessionId,
    globalRole: 'NONE',
    tokenVersion: 1,
    authTime: 1_700_000_000,
    amr: ['pwd'],
    acr: 'aal1',
    ...claims,
  });
  return { user, sessionId, token };
}

const changeUser = (id: string, values: Record<string, unknown>) =>
  database.run((knex) => knex('users').where({ id }).update(values));
const changeSession = (id: string, values: Record<string, unknown>) =>
  database.run((knex) => knex('sessions').where({ id }).update(values));
const revoke = (sessionId: string) =>
  database.transaction((trx) => sessions.revokeTree(sessionId, 'revoked', trx));

const ways: [string, (token: string) => Promise<unknown>][] = [
  ['against the database', (token) => authenticator.authenticate(token)],
  ['with memberships', (token) => authenticator.authenticateWithMemberships(token)],
  ['for access', (token) => authenticator.authenticateForAccess(token)],
  ['by hint', (token) => authenticator.authenticateByHint(token)],
];

describe.each(ways)('a token that is checked %s', (_way, check) => {
  it('a checked token identifies the user and the session', async () => {
    const { user, sessionId, token } = await signedIn();
    expect(await check(token)).toMatchObject({
      userId: user.id,
      sessionId,
      globalRole: 'NONE',
      tokenVersion: 1,
    });
  });

  it('a token is rejected after its session was revoked', async () => {
    const { sessionId, token } = await signedIn();
    await revoke(sessionId);
    await expect(check(token)).rejects.toMatchObject({ code: 'session_revoked' });
  });

  it('a token is rejected after its session has expired', async () => {
    const { sessionId, token } = await signedIn();
    await changeSession(sessionId, { expires_at: new Date(0) });
    await expect(check(token)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('a token is rejected when its version is outdated, or ahead', async () => {
    const { user, token } = await signedIn();
    await changeUser(user.id, { token_version: 2 });
    await expect(check(token)).rejects.toMatchObject({ code: 'unauthorized' });
    const ahead = await signedIn({ tokenVersion: 2 });
    await expect(check(ahead.token)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('a token is rejected when its user is inactive', async () => {
    const { user, token } = await signedIn();
    await changeUser(user.id, { is_active: false });
    await expect(check(token)).rejects.toMatchObject({ code: 'account_inactive' });
  });

  it('a token is rejected for a session of another user, or an unknown session', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const claims = { globalRole: 'NONE', tokenVersion: 1, authTime: 0, amr: [], acr: 'aal1' as const };
    const crossed = await tokens.issue({ ...claims, userId: one.user.id, sessionId: other.sessionId });
    await expect(check(crossed)).rejects.toMatchObject({ code: 'unauthorized' });
    const nowhere = await tokens.issue({ ...claims, userId: one.user.id, sessionId: one.user.id });
    await expect(check(nowhere)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

it('the authenticator returns the role of the row, not that of the token', async () => {
  const { token } = await signedIn({ globalRole: 'PLATFORM_SUPERADMIN' });
  expect((await authenticator.authenticate(token)).globalRole).toBe('NONE');
});

it('simultaneous checks see an earlier revocation', async () => {
  const [live, ended] = [await signedIn(), await signedIn()];
  await Promise.all([authenticator.authenticate(live.token), authenticator.authenticate(ended.token)]);
  await revoke(ended.sessionId);
  const outcomes = await Promise.allSettled(
    [live, ended, live, ended].map(({ token }) => authenticator.authenticate(token)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
});

describe('a hint', () => {
  it('a hint is used instead of the database', async () => {
    const { sessionId, token } = await signedIn();
    await authenticator.authenticateByHint(token);
    await revoke(sessionId);
    expect(await authenticator.authenticateByHint(token)).toMatchObject({ sessionId });
  });

  it('a revocation marker overrides a hint', async () => {
    const { sessionId, token } = await signedIn();
    await authenticator.authenticateByHint(token);
    await revoke(sessionId);
    await markers.mark([sessionId]);
    await expect(authenticator.authenticateByHint(token)).rejects.toMatchObject({ code: 'session_revoked' });
  });

  it('a marked hint is ignored, but a session that is still active is accepted', async () => {
    const { sessionId, token } = await signedIn();
    await markers.mark([sessionId]);
    expect(await authenticator.authenticateByHint(token)).toMatchObject({ sessionId });
  });

  it.each<[string, Partial<SessionHint>]>([
    ['another user', { userId: 'another user' }],
    ['another token version', { tokenVersion: 2 }],
  ])('a hint of %s is not used', async (_what, fields) => {
    const { user, sessionId, token } = await signedIn();
    await cache.remember(sessionId, {
      userId: user.id,
      globalRole: 'PLATFORM_ADMIN',
      tokenVersion: 1,
      ...fields,
    });
    expect((await authenticator.authenticateByHint(token)).globalRole).toBe('NONE');
  });
});
