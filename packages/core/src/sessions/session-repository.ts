import type { AuditEvent } from '../audit/audit-event.js';
import { type AuditRepository, auditInsertFrom } from '../audit/audit-repository.js';
import {
  membershipColumns,
  toMemberships,
  type MembershipColumns,
} from '../memberships/membership-repository.js';
import type { Memberships } from '../memberships/membership.js';
import { violatedConstraint } from '../storage/database-error.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { GlobalRole, User } from '../users/user.js';
import { GrantSpentError } from './grant-spent-error.js';
import type { Lifetimes } from './lifetimes.js';
import type { SessionOrigin } from './session.js';

/** What a session is opened with. */
export interface NewSession {
  id: string;
  userId: string;
  /** The state that was verified; the row appears only if the user still has it. */
  verified: { tokenVersion: number; passwordHash: string | null };
  selectorDigest: Buffer;
  secretDigest: Buffer;
  origin: SessionOrigin;
  amr: readonly string[];
  /** Seconds since the epoch. */
  authTime: number;
  grantDigest: Buffer | null;
  ipAddress: string | null;
  userAgent: string | null;
  deviceName: string | null;
  /** The session that it is opened from. */
  parent?: Pick<HeldSession, 'id' | 'rootCreatedAt'> | undefined;
  lifetimes: Lifetimes;
}

/** A live session that the transaction holds. */
export interface HeldSession {
  id: string;
  amr: string[];
  /** Seconds since the epoch. */
  authTime: number;
  /** Time at which the root of its tree was created: the absolute limit counts from there. */
  rootCreatedAt: Date;
}

/** A session and its user, as one query sees them. */
export interface SessionState {
  isRevoked: boolean;
  isExpired: boolean;
  /** True when `last_used_at` is so old that this use is worth writing down. */
  isUseDue: boolean;
  user: User;
}

interface StateRow extends UserRow {
  session_id: string;
  is_revoked: boolean;
  is_expired: boolean;
  is_use_due: boolean;
}

interface HeldRow {
  amr: string[];
  auth_time: number;
  root_created_at: Date;
}

/**
 * The user's row is updated, so it is locked: a deactivation or a password change that commits first makes the
 * condition fail here, one that comes later waits and then finds this session among those it revokes.
 */
const INSERT = statement(
  'session_open',
  `WITH verified AS (
     UPDATE users SET last_login_at = CASE WHEN $7 = 'minted' THEN last_login_at ELSE now() END
     WHERE id = $2 AND is_active AND approval_status = 'APPROVED' AND token_version = $3
       AND ($4::text IS NULL OR password_hash = $4)
     RETURNING id
   ), opened AS (
     INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, auth_time, grant_digest,
       ip_address, user_agent, device_name, parent_session_id, root_created_at, expires_at)
     SELECT $1, id, $5, $6, $7, $8, to_timestamp($9), $10, $11, $12, $13, $14, $15, least(
       now() + make_interval(secs => $16), coalesce($15::timestamptz, now()) + make_interval(secs => $17))
     FROM verified
     RETURNING id
   ), audited AS (${auditInsertFrom('opened', '$18')})
   SELECT id FROM opened`,
);

const STATE = `s.id AS session_id, s.is_revoked, s.expires_at <= now() AS is_expired,
     s.last_used_at < now() - interval '1 minute' AS is_use_due, ${userColumns('u').join(', ')}`;
const SESSIONS_AND_USERS = `sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ANY($1::uuid[])`;

const CHECK = statement('session_check', `SELECT ${STATE} FROM ${SESSIONS_AND_USERS}`);

const CHECK_WITH_MEMBERSHIPS = statement(
  'session_check_with_memberships',
  `SELECT ${STATE}, ${membershipColumns('u.id')} FROM ${SESSIONS_AND_USERS}`,
);

/** Rows that are held elsewhere are left out: whoever holds several of them must never wait for this. */
const TOUCH = statement(
  'session_touch',
  `UPDATE sessions SET last_used_at = now() WHERE id = ANY(ARRAY(
     SELECT id FROM sessions
     WHERE id = ANY($1::uuid[]) AND NOT is_revoked AND last_used_at < now() - interval '1 minute'
     FOR NO KEY UPDATE SKIP LOCKED))`,
);

/** Sessions: opening and checking. Rotating and ending them have repositories of their own. */
export class SessionRepository {
  readonly #database: Database;
  readonly #audit: AuditRepository;

  constructor(database: Database, audit: AuditRepository) {
    this.#database = database;
    this.#audit = audit;
  }

  /**
   * Opens a session if the user may still sign in and nothing that was verified has changed since.
   * @returns false when it has: no row was written.
   * @throws GrantSpentError when the grant has created a session already; the transaction is then void.
   */
  async insert(session: NewSession, audit: AuditEvent, trx?: Transaction): Promise<boolean> {
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
    ];
    const write = async (auditParameter: string) =>
      (await this.#database.query(INSERT, valuesWith(auditParameter), trx)).length > 0;
    try {
      return await this.#audit.insertBy(audit, write, trx);
    } catch (error) {
      if (violatedConstraint(error) === 'sessions_grant_key') throw new GrantSpentError(error);
      throw error;
    }
  }

  /** The state of these sessions and their users, by session id; unknown ids are missing. */
  async check(sessionIds: readonly string[]): Promise<Map<string, SessionState>> {
    const rows = await this.#database.query<StateRow>(CHECK, [sessionIds]);
    return new Map(rows.map((row) => [row.session_id, toState(row)]));
  }

  /** The same with every active membership of the users, still in one query. */
  async checkWithMemberships(
    sessionIds: readonly string[],
  ): Promise<Map<string, SessionState & { memberships: Memberships }>> {
    const rows = await this.#database.query<StateRow & MembershipColumns>(CHECK_WITH_MEMBERSHIPS, [
      sessionIds,
    ]);
    return new Map(rows.map((row) => [row.session_id, { ...toState(row), memberships: toMemberships(row) }]));
  }

  /** Writes down that these sessions were used, at most once a minute each. */
  async touch(sessionIds: readonly string[]): Promise<void> {
    await this.#database.query(TOUCH, [sessionIds]);
  }

  /** Whose session this is, live or not. */
  async findOwner(
    sessionId: string,
    trx: Transaction,
  ): Promise<{ id: string; globalRole: GlobalRole } | undefined> {
    const [row] = await trx('sessions')
      .join('users', 'users.id', 'sessions.user_id')
      .where('sessions.id', sessionId)
      .select<{ id: string; global_role: GlobalRole }[]>('users.id', 'users.global_role');
    return row && { id: row.id, globalRole: row.global_role };
  }

  /**
   * Holds a live session of the user until the transaction ends, which must hold the user's row already.
   * @returns undefined when it is not live any more.
   */
  async holdLive(sessionId: string, userId: string, trx: Transaction): Promise<HeldSession | undefined> {
    const [row] = await trx('sessions')
      .where({ id: sessionId, user_id: userId, is_revoked: false })
      .whereRaw('expires_at > now()')
      .forShare()
      .select<HeldRow[]>(
        'amr',
        trx.raw('extract(epoch FROM auth_time)::float8 AS auth_time'),
        trx.raw('coalesce(root_created_at, created_at) AS root_created_at'),
      );
    return (
      row && {
        id: sessionId,
        amr: row.amr,
        authTime: Math.floor(row.auth_time),
        rootCreatedAt: row.root_created_at,
      }
    );
  }

  /** The live sessions of a user whose row the transaction holds: no other can be opened meanwhile. */
  async liveIdsOf(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await trx('sessions')
      .where({ user_id: userId, is_revoked: false })
      .whereRaw('expires_at > now()')
      .select<{ id: string }[]>('id');
    return rows.map(({ id }) => id);
  }
}

/** A refresh token as the database knows it. */
export interface PresentedToken {
  selectorDigest: Buffer;
  generation: number;
  secretDigest: Buffer;
  /** Whether this service derived it, at whatever time. */
  isGenuine: boolean;
}

function toState(row: StateRow): SessionState {
  return {
    isRevoked: row.is_revoked,
    isExpired: row.is_expired,
    isUseDue: row.is_use_due,
    user: toUser(row),
  };
}
