import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { ActingParty } from '../kernel/acting-party.js';
import type { SignInDevice } from '../sign-in-devices/sign-in-devices.js';
import { violatedConstraint } from '../storage/database-error.js';
import type { Database, Statement, Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { toActingParty, type ActingColumns, type NewActing } from './acting.js';
import { GrantSpentError } from './grant-spent-error.js';
import type { Lifetimes } from './lifetimes.js';
import { toClaims, type ClaimsRow, type PresentedToken, type SessionClaims } from './rotation-repository.js';
import { sessionLevel } from './session-level.js';
import { SESSION } from './session-repository.sql.js';
import type { OpeningIdentity, RevokeReason, SessionOrigin } from './session.js';

/** Values of a new session. */
export interface NewSession {
  id: string;
  userId: string;
  /** The verified state of the user; the row is written only if the user still has it. */
  verified: { tokenVersion: number; passwordHash: string | null; factorVersion?: number | undefined };
  /** True if the row is written only for a user with a proved mailbox. */
  requiresVerifiedEmail: boolean;
  selectorDigest: Buffer;
  secretDigest: Buffer;
  origin: SessionOrigin;
  amr: readonly string[];
  acr: AuthenticationLevel;
  /** Seconds since the epoch. */
  authTime: number;
  grantDigest: Buffer | null;
  ipAddress: string | null;
  userAgent: string | null;
  deviceName: string | null;
  /** The device that signs in; undefined if the sign-in is not that of a device. */
  device?: SignInDevice | undefined;
  /** The parent session. */
  parent?: Pick<HeldSession, 'id' | 'rootCreatedAt'> | undefined;
  /** The identity at another service by which the user signed in. */
  external?: OpeningIdentity | undefined;
  /** Who acts in the session for its user. */
  acting?: NewActing | undefined;
  lifetimes: Lifetimes;
}

/** The decision of the database about the mail that the device is new. */
type InsertedSession = { isDeviceNoticed: boolean };

/** An active session that the transaction has locked. */
export interface HeldSession {
  id: string;
  amr: readonly string[];
  acr: AuthenticationLevel;
  /** Seconds since the epoch. */
  authTime: number;
  /** Creation time of the root of its tree: the absolute limit counts from there. */
  rootCreatedAt: Date;
  expiresAt: Date;
  /** Who acts in it for its user; undefined in a session of the user's own. */
  act: ActingParty | undefined;
}

/** A proof of identity for a session, and the state of the user that was verified. */
export interface SessionRaise {
  sessionId: string;
  userId: string;
  verified: { tokenVersion: number; passwordHash: string | null };
  /** Methods of the proof, in values of RFC 8176. */
  amr: readonly string[];
  /** The level that the proof gives to the session; null: that which it has. */
  acr: AuthenticationLevel | null;
  /** Time of the proof, in seconds since the epoch. */
  authTime: number;
  /** Time at which the ceremony of a passkey began, in milliseconds since the epoch; null for other proofs. */
  ceremonyBegunAt: number | null;
}

/**
 * Result of claiming a session for a confirmation: `busy` while another one is running, `exhausted` after too
 * many wrong ones.
 */
export type ConfirmationClaim = 'claimed' | 'busy' | 'exhausted' | 'revoked' | 'expired';

/** Sessions that one statement has revoked. */
export interface RevokedSessions {
  /** True if any session was not revoked before, expired ones included. */
  any: boolean;
  /** Ids of those that were active until then. */
  activeIds: string[];
  /** Those in which an actor acted for the user. */
  acted: ActedSession[];
}

/** A session in which an actor acts for its user. */
export interface ActedSession {
  id: string;
  userId: string;
  act: ActingParty;
}

interface RevokedRow extends ActingColumns {
  id: string;
  user_id: string;
  was_active: boolean;
}

interface HeldRow extends ActingColumns {
  amr: string[];
  acr: AuthenticationLevel;
  auth_time: number;
  root_created_at: Date;
  expires_at: Date;
}

/**
 * Writes sessions, all but the rotation of their tokens.
 *
 * Revocations take descendants with them, in one statement. Their transaction must have locked the row of the
 * user by an earlier statement: a hand-off locks it too while it creates a session, and so does minting one in which
 * the user acts for another. So the statement that revokes sees either the new session, or the other finds no parent
 * any more.
 */
export class SessionRepository {
  readonly #database: Database;
  readonly #audit: AuditRepository;

  constructor(database: Database, audit: AuditRepository) {
    this.#database = database;
    this.#audit = audit;
  }

  /**
   * Inserts a session if the user may still sign in and nothing that was verified has changed since.
   * @returns undefined when it has: no row was written.
   * @throws GrantSpentError when the grant has created a session already; the transaction is then aborted.
   */
  async insert(
    session: NewSession,
    audit: AuditEvent,
    trx?: Transaction,
  ): Promise<InsertedSession | undefined> {
    const valuesWith = (auditParameter: string) => [
      session.id,
      session.userId,
      session.verified.tokenVersion,
      session.verified.passwordHash,
      session.selectorDigest,
      session.secretDigest,
      session.origin,
      session.amr,
      session.authTime,
      session.grantDigest,
      session.ipAddress,
      session.userAgent,
      session.deviceName,
      session.parent?.id,
      session.parent?.rootCreatedAt,
      session.lifetimes.idle,
      session.lifetimes.absolute,
      auditParameter,
      session.verified.factorVersion,
      session.acr,
      session.requiresVerifiedEmail,
      session.device?.digest,
      session.device && JSON.stringify(session.device.notice),
      ...actingValues(session.acting),
      session.external?.identityId,
      session.external?.providerSessionId,
    ];
    const write = (auditParameter: string) =>
      this.#database.query<{ is_device_noticed: boolean }>(SESSION.insert, valuesWith(auditParameter), trx);
    try {
      const row = await this.#audit.insertBy(audit, write, trx);
      return row && { isDeviceNoticed: row.is_device_noticed };
    } catch (error) {
      if (violatedConstraint(error) === 'sessions_grant_key') throw new GrantSpentError(error);
      throw error;
    }
  }

  /** Records that these sessions were used, at most once a minute each. */
  async touch(sessionIds: readonly string[]): Promise<void> {
    await this.#database.query(SESSION.touch, [sessionIds]);
  }

  /**
   * Locks an active session of the user until the transaction ends; the transaction must have locked the row
   * of the user before.
   * @returns undefined when the session is no longer active.
   */
  async holdLive(sessionId: string, userId: string, trx: Transaction): Promise<HeldSession | undefined> {
    const [row] = await trx('sessions')
      .where({ id: sessionId, user_id: userId, is_revoked: false })
      .whereRaw('expires_at > now()')
      .forShare()
      .select<HeldRow[]>(
        'amr',
        trx.raw(`${sessionLevel('sessions')} AS acr`),
        trx.raw('extract(epoch FROM auth_time)::float8 AS auth_time'),
        trx.raw('coalesce(root_created_at, created_at) AS root_created_at'),
        'expires_at',
        ...['acting_sub', 'acting_user_id', 'acting_name'],
      );
    return (
      row && {
        id: sessionId,
        amr: row.amr,
        acr: row.acr,
        authTime: Math.floor(row.auth_time),
        rootCreatedAt: row.root_created_at,
        expiresAt: row.expires_at,
        act: toActingParty(row),
      }
    );
  }

  /** Returns the end of a session that is limited to so many seconds from now, and to the end of another one if given. */
  async limitFromNow(seconds: number, other: Date | undefined, trx: Transaction): Promise<Date> {
    const [row] = await this.#database.query<{ until: Date }>(SESSION.limitFromNow, [seconds, other], trx);
    if (!row) throw new TypeError('The database returned no time.');
    return row.until;
  }

  /**
   * Returns the active sessions of a user whose row the transaction has locked: no other can be created
   * meanwhile.
   */
  async liveIdsOf(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await trx('sessions')
      .where({ user_id: userId, is_revoked: false })
      .whereRaw('expires_at > now()')
      .select<{ id: string }[]>('id');
    return rows.map(({ id }) => id);
  }

  /**
   * Claims the session for one confirmation, counted as wrong until its result is recorded. Of parallel
   * claims one succeeds.
   */
  async claimConfirmation(sessionId: string, limit: number): Promise<ConfirmationClaim> {
    const claimed = await this.#database.query(SESSION.claimConfirmation, [sessionId, limit]);
    if (claimed.length > 0) return 'claimed';
    const [row] = await this.#database.query<{ claim: ConfirmationClaim }>(SESSION.explainConfirmation, [
      sessionId,
      limit,
    ]);
    return row?.claim ?? 'revoked';
  }

  /** Records that the confirmation was right: the count starts again at zero. */
  async confirm(sessionId: string): Promise<void> {
    await this.#database.query(SESSION.confirm, [sessionId]);
  }

  /** Records that the confirmation was not checked: it does not count. */
  async takeBackConfirmation(sessionId: string): Promise<void> {
    await this.#database.query(SESSION.takeBackConfirmation, [sessionId]);
  }

  /**
   * Records that the confirmation was wrong.
   * @returns the number of wrong ones in a row, this one included.
   */
  async failConfirmation(sessionId: string, audit: AuditEvent): Promise<number> {
    const row = await this.#audit.insertBy(audit, (parameter) =>
      this.#database.query<{ failed_confirmations: number }>(SESSION.failConfirmation, [
        sessionId,
        parameter,
      ]),
    );
    return row?.failed_confirmations ?? 0;
  }

  /**
   * Adds the methods of a proof to an active session and sets the time of its sign-in, if the user may still sign in
   * and what was verified still holds. Neither its parent nor its children change.
   * @returns the claims of the session; undefined when nothing was raised.
   */
  async raise(raise: SessionRaise, audit: AuditEvent, trx?: Transaction): Promise<SessionClaims | undefined> {
    const row = await this.#audit.insertBy(
      audit,
      (auditParameter) =>
        this.#database.query<ClaimsRow>(SESSION.raise, [...valuesOf(raise), auditParameter], trx),
      trx,
    );
    return row && toClaims(row);
  }

  /** Locks the row of the session's user until the transaction ends. @returns the user's id. */
  lockOwner(sessionId: string, trx: Transaction): Promise<string | undefined> {
    return this.#lock(SESSION.lockOwner, sessionId, trx);
  }

  /** Locks the row of the user by the selector of a refresh token. @returns the user's id. */
  lockOwnerBySelector(selectorDigest: Buffer, trx: Transaction): Promise<string | undefined> {
    return this.#lock(SESSION.lockOwnerBySelector, selectorDigest, trx);
  }

  /** Locks the row of a user until the transaction ends. */
  async lockUser(userId: string, trx: Transaction): Promise<void> {
    await this.#lock(SESSION.lockUser, userId, trx);
  }

  /**
   * Returns the session that a refresh token may revoke: the token must be its current one or a genuine older
   * one.
   */
  async findForLogout(token: PresentedToken, trx: Transaction): Promise<string | undefined> {
    const { selectorDigest, generation, secretDigest, isGenuine } = token;
    const values = [selectorDigest, generation, secretDigest, isGenuine];
    const [row] = await this.#database.query<{ id: string }>(SESSION.findForLogout, values, trx);
    return row?.id;
  }

  /** Revokes a session and its descendants. */
  revokeTree(sessionId: string, reason: RevokeReason, trx: Transaction): Promise<RevokedSessions> {
    return this.#revoke(SESSION.revokeTree, [sessionId, reason], trx);
  }

  /** Revokes every session of a user, or all but one and its ancestors. */
  revokeAllOf(
    userId: string,
    reason: RevokeReason,
    options: { exceptSessionId?: string },
    trx: Transaction,
  ): Promise<RevokedSessions> {
    const { exceptSessionId } = options;
    return exceptSessionId === undefined
      ? this.#revoke(SESSION.revokeAll, [userId, reason], trx)
      : this.#revoke(SESSION.revokeAllButPath, [userId, reason, exceptSessionId], trx);
  }

  /** Revokes the sessions of a user with one factor, but not this one and its ancestors. */
  revokeOneFactorOf(
    userId: string,
    reason: RevokeReason,
    exceptSessionId: string | undefined,
    trx: Transaction,
  ): Promise<RevokedSessions> {
    return this.#revoke(SESSION.revokeOneFactor, [userId, reason, exceptSessionId ?? null], trx);
  }

  /** Revokes the sessions that an identity opened, or the one of them that the provider names, with their descendants. */
  revokeOfIdentity(
    userId: string,
    reason: RevokeReason,
    { identityId, providerSessionId }: OpeningIdentity,
    trx: Transaction,
  ): Promise<RevokedSessions> {
    return this.#revoke(SESSION.revokeOfIdentity, [userId, reason, identityId, providerSessionId], trx);
  }

  /**
   * Revokes the sessions in which an actor acts for a user.
   * @param options.byThem true for those too in which the user acts for others.
   */
  revokeActed(
    userId: string,
    reason: RevokeReason,
    { byThem }: { byThem: boolean },
    trx: Transaction,
  ): Promise<RevokedSessions> {
    return this.#revoke(SESSION.revokeActed, [userId, reason, byThem], trx);
  }

  /**
   * Removes address, user agent and device name, who acted and why from the revoked sessions of a user, whose row the transaction has locked.
   * @returns the addresses.
   */
  async forgetClients(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await this.#database.query<{ ip_address: string }>(SESSION.forgetClients, [userId], trx);
    return rows.map((row) => row.ip_address);
  }

  async #lock(lock: Statement, value: unknown, trx: Transaction): Promise<string | undefined> {
    const [row] = await this.#database.query<{ id: string }>(lock, [value], trx);
    return row?.id;
  }

  async #revoke(revoke: Statement, values: unknown[], trx: Transaction): Promise<RevokedSessions> {
    const rows = await this.#database.query<RevokedRow>(revoke, values, trx);
    const active = rows.filter((row) => row.was_active);
    return { any: rows.length > 0, activeIds: active.map(({ id }) => id), acted: active.flatMap(toActed) };
  }
}

const actingValues = (acting: NewActing | undefined): unknown[] => [
  acting?.party.sub,
  acting?.party.userId,
  acting?.party.name,
  acting?.sessionId,
  acting?.reason,
  acting?.until,
];

const valuesOf = ({
  sessionId,
  userId,
  verified,
  amr,
  acr,
  authTime,
  ceremonyBegunAt,
}: SessionRaise): unknown[] => [
  sessionId,
  userId,
  verified.tokenVersion,
  verified.passwordHash,
  amr,
  authTime,
  ceremonyBegunAt,
  acr,
];

function toActed(row: RevokedRow): ActedSession[] {
  const act = toActingParty(row);
  return act ? [{ id: row.id, userId: row.user_id, act }] : [];
}
