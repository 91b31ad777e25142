import type { AuditEvent } from '../../../packages/core/src/audit/audit-event.js';
import { AuditRepository } from '../../../packages/core/src/audit/audit-repository.js';
import { AuthEvents } from '../../../packages/core/src/audit/auth-events.js';
import { unknownClient } from '../../../packages/core/src/kernel/client-info.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import { silentLogger } from '../../../packages/core/src/kernel/logger.js';
import { RotationRepository } from '../../../packages/core/src/sessions/rotation-repository.js';
import { SessionQueries } from '../../../packages/core/src/sessions/session-queries.js';
import {
  SessionRepository,
  type NewSession,
  type SessionRaise,
} from '../../../packages/core/src/sessions/session-repository.js';
import { SessionStateQueries } from '../../../packages/core/src/sessions/session-state-queries.js';
import { SessionStatsQueries } from '../../../packages/core/src/sessions/session-stats-queries.js';
import { SignInDeviceRepository } from '../../../packages/core/src/sign-in-devices/sign-in-device-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { beyondOneUser, PAGE, rolledBack, TOTALS, type Lookup } from './lookup.js';

const LIFETIMES = { idle: 3600, absolute: 7200 };

/** An audit entry of no matter what. */
const AUDIT_ENTRY: AuditEvent = {
  event: 'login',
  outcome: 'failure',
  actor: { kind: 'anonymous' },
  client: unknownClient,
};

export function sessionLookups(database: Database): Lookup[] {
  return [
    ...checks(database),
    ...beyondOneUser('a list', lists(database)),
    ...changes(database),
    ...rotations(database),
    ...revocations(database),
    ...consequences(database),
  ];
}

/** Returns the audit log of a repository that writes both. */
export const auditOf = (database: Database): AuditRepository =>
  new AuditRepository(database, new AuthEvents(silentLogger));

function checks(database: Database): Lookup[] {
  const states = new SessionStateQueries(database);
  const sessions = new SessionRepository(database, auditOf(database));
  const rotations = new RotationRepository(database);
  return [
    { name: 'session check', run: ({ sessionId }) => states.check([sessionId]) },
    {
      name: 'session check with memberships',
      run: ({ sessionId }) => states.checkWithMemberships([sessionId]),
    },
    {
      name: 'session with memberships and module rules',
      run: ({ sessionId }) => states.checkWithRules([sessionId]),
    },
    { name: 'use of sessions', run: ({ sessionId }) => sessions.touch([sessionId]) },
    {
      name: 'owner of a session',
      run: ({ sessionId }) => rolledBack(database, (trx) => states.findOwner(sessionId, trx)),
    },
    {
      name: 'active session of a user, locked',
      run: ({ sessionId, userId }) =>
        rolledBack(database, (trx) => sessions.holdLive(sessionId, userId, trx)),
    },
    {
      name: 'ids of active sessions of a user',
      run: ({ userId }) => rolledBack(database, (trx) => sessions.liveIdsOf(userId, trx)),
    },
    {
      name: 'session of a refresh token',
      run: ({ token }) => rotations.find(token.selectorDigest, () => 0),
    },
    {
      name: 'session of a refresh token, locked',
      run: ({ token }) => rolledBack(database, (trx) => rotations.find(token.selectorDigest, () => 0, trx)),
    },
  ];
}

function lists(database: Database): Lookup[] {
  const queries = new SessionQueries(database);
  return [
    { name: 'sessions of a user', run: ({ userId }) => queries.listActive({ userId }, PAGE) },
    { name: 'a session by its id', run: () => queries.listActive({ id: newId() }, PAGE) },
    { name: 'who acts in a session', run: () => queries.currentActor(newId()) },
    {
      name: 'sessions of a company',
      run: ({ companyId }) => queries.listActive({ companyId }, PAGE),
    },
    {
      name: 'sessions of a large company',
      run: ({ largeCompanyId }) => queries.listActive({ companyId: largeCompanyId }, PAGE),
      readsMany: TOTALS,
    },
    { name: 'sessions by the name of users', run: () => queries.listActive({ search: 'person 4711' }, PAGE) },
    {
      name: 'sessions by a common part of a name',
      run: () => queries.listActive({ search: 'person' }, PAGE),
      readsMany: TOTALS,
    },
    { name: 'sessions from an address', run: () => queries.listActive({ ipAddress: '192.0.2.7' }, PAGE) },
    { name: 'sessions from a network', run: () => queries.listActive({ ipAddress: '192.0.2.0/27' }, PAGE) },
    {
      name: 'sessions from a wide network',
      run: () => queries.listActive({ ipAddress: '172.16.0.0/12' }, PAGE),
    },
    {
      name: 'sessions from an IPv6 network',
      run: () => queries.listActive({ ipAddress: '2001:db8::/48' }, PAGE),
    },
    { name: 'all sessions, first page', run: () => queries.listActive({}, PAGE), readsMany: TOTALS },
    {
      name: 'all sessions, deep page',
      run: ({ users }) => queries.listActive({}, { limit: 50, offset: users }),
      readsMany: 'an offset is counted',
    },
    {
      name: 'session statistics',
      run: () => new SessionStatsQueries(database).read(),
      readsManyIfSmall: 'up to 100,000 sessions are counted',
    },
    { name: 'users with sessions', run: () => queries.usersWithSessions(undefined, 500) },
    { name: 'users with sessions, later', run: ({ userId }) => queries.usersWithSessions(userId, 500) },
    {
      name: 'sessions by the prefix of an id',
      run: ({ sessionId }) => queries.findByPrefix(sessionId.slice(0, 13), 11),
    },
  ];
}

function changes(database: Database): Lookup[] {
  const audit = auditOf(database);
  const states = new SessionStateQueries(database);
  const sessions = new SessionRepository(database, audit);
  return [
    {
      name: 'new session',
      run: ({ userId }) =>
        rolledBack(database, (trx) => sessions.insert(newSession(userId), AUDIT_ENTRY, trx)),
    },
    {
      name: 'confirmation of a password: claim',
      run: ({ sessionId }) => sessions.claimConfirmation(sessionId, 10),
    },
    { name: 'confirmation of a password: success', run: ({ sessionId }) => sessions.confirm(sessionId) },
    {
      name: 'confirmation of a password: no attempt',
      run: ({ sessionId }) => sessions.takeBackConfirmation(sessionId),
    },
    {
      name: 'confirmation of a password: failure',
      run: ({ sessionId }) => sessions.failConfirmation(sessionId, AUDIT_ENTRY),
    },
    {
      name: 'step-up of a session',
      run: ({ sessionId, userId }) =>
        rolledBack(database, (trx) => sessions.raise(stepUpOf(sessionId, userId), AUDIT_ENTRY, trx)),
    },
    {
      name: 'recent factor of a session',
      run: ({ sessionId }) => states.hasRecentFactor(sessionId, 900),
    },
    { name: 'audit entry', run: () => audit.insert(AUDIT_ENTRY) },
  ];
}

function rotations(database: Database): Lookup[] {
  const repository = new RotationRepository(database);
  return [
    {
      name: 'rotations that share a statement',
      run: ({ token }) => {
        const unknown = { ...token, selectorDigest: token.secretDigest };
        return Promise.all(
          [token, unknown].map((one) => repository.rotate(one, token.secretDigest, LIFETIMES)),
        );
      },
    },
    {
      name: 'rotation',
      run: ({ token }) =>
        repository.rotate({ ...token, generation: token.generation + 1 }, token.secretDigest, LIFETIMES),
    },
  ];
}

const stepUpOf = (sessionId: string, userId: string): SessionRaise => ({
  sessionId,
  userId,
  verified: { tokenVersion: 1, passwordHash: null },
  amr: ['hwk'],
  acr: 'aal2',
  authTime: 1_700_000_000,
  ceremonyBegunAt: 1_700_000_000_000,
});

function revocations(database: Database): Lookup[] {
  const sessions = new SessionRepository(database, auditOf(database));
  return [
    {
      name: 'logout by refresh token',
      run: ({ token }) =>
        rolledBack(database, async (trx) => {
          await sessions.lockOwnerBySelector(token.selectorDigest, trx);
          await sessions.findForLogout(token, trx);
        }),
    },
    {
      name: 'revocation of a session with its descendants',
      run: ({ sessionId }) =>
        rolledBack(database, async (trx) => {
          await sessions.lockOwner(sessionId, trx);
          await sessions.revokeTree(sessionId, 'revoked', trx);
        }),
    },
    {
      name: 'revocation of all sessions of a user',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await sessions.lockUser(userId, trx);
          await sessions.revokeAllOf(userId, 'revoke_all', {}, trx);
        }),
    },
    {
      name: 'revocation of the sessions in which a user acts for others',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          await sessions.lockUser(userId, trx);
          await sessions.revokeActed(userId, 'role_changed', { byThem: true }, trx);
        }),
    },
    {
      name: 'limit of a session in which an actor acts',
      run: () => rolledBack(database, (trx) => sessions.limitFromNow(3600, undefined, trx)),
    },
    {
      name: 'revocation of all other sessions of a user',
      run: ({ userId, sessionId }) =>
        rolledBack(database, (trx) =>
          sessions.revokeAllOf(userId, 'logout_others', { exceptSessionId: sessionId }, trx),
        ),
    },
  ];
}

const newSession = (userId: string): NewSession => ({
  id: newId(),
  userId,
  verified: { tokenVersion: 1, passwordHash: null },
  requiresVerifiedEmail: true,
  selectorDigest: Buffer.alloc(32, 1),
  secretDigest: Buffer.alloc(32, 2),
  origin: 'password',
  amr: ['pwd'],
  acr: 'aal1',
  authTime: Math.floor(Date.now() / 1000),
  grantDigest: Buffer.alloc(32, 3),
  ipAddress: null,
  userAgent: null,
  deviceName: null,
  lifetimes: LIFETIMES,
});

/** Lists what a first second factor ends, and what is written about sessions. */
function consequences(database: Database): Lookup[] {
  const sessions = new SessionRepository(database, auditOf(database));
  const devices = new SignInDeviceRepository(database);
  return [
    {
      name: 'revocation of the sessions of a user with one factor',
      run: ({ userId, sessionId }) =>
        rolledBack(database, async (trx) => {
          await sessions.lockUser(userId, trx);
          await sessions.revokeOneFactorOf(userId, 'factor_added', sessionId, trx);
        }),
    },
    { name: 'notices of devices that were held back', run: () => devices.noticeHeldBack(100) },
    {
      name: 'several entries of the audit log',
      run: () => rolledBack(database, (trx) => auditOf(database).insertAll([AUDIT_ENTRY, AUDIT_ENTRY], trx)),
    },
  ];
}
