import type { AuditEvent } from '../audit/audit-event.js';
import { type AuditRepository, auditInsertFrom } from '../audit/audit-repository.js';
import type { ActingParty } from '../kernel/acting-party.js';
import { mailInsertFrom } from '../mail/outbox-repository.js';
import {
  membershipColumns,
  moduleRulesColumn,
  toMemberships,
  type MembershipColumns,
  type ModuleRulesColumn,
} from '../memberships/membership-repository.js';
import { toDecidingRules } from '../memberships/membership-row.js';
import type { DecidingRules, Memberships } from '../memberships/membership.js';
import {
  deviceEvictionFrom,
  deviceNoticeOf,
  deviceUpsertFrom,
  heldBackReleaseFrom,
  IS_DEVICE_ACCEPTED,
  IS_DEVICE_NOTICED,
  nextDeviceNotice,
} from '../sign-in-devices/sign-in-device-repository.js';
import type { SignInDevice } from '../sign-in-devices/sign-in-devices.js';
import { violatedConstraint } from '../storage/database-error.js';
import { idBatch, statement, type Database, type Statement, type Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import type { GlobalRole, User } from '../users/user.js';
import { toActingParty, type ActingColumns } from './acting.js';
import { GrantSpentError } from './grant-spent-error.js';
import type { Lifetimes } from './lifetimes.js';
import { sessionLevel } from './session-level.js';
import type { SessionOrigin } from './session.js';

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
  /** Who acts in the session for its user. */
  acting?: NewActing | undefined;
  lifetimes: Lifetimes;
}

/** Who acts in a new session for its user. */
export interface NewActing {
  party: ActingParty;
  /** The session of the acting member of staff with which the new one ends; null if none was named. */
  sessionId: string | null;
  reason: string;
  /** The latest end of the session. */
  until: Date;
}

/** The decision of the database about the notice of a new device. */
export interface InsertedSession {
  /** True if the user is mailed that the device is new. */
  isDeviceNoticed: boolean;
}

interface InsertedRow {
  is_device_noticed: boolean;
}

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

/** A session and its user, read by one query. */
export interface SessionState {
  isRevoked: boolean;
  isExpired: boolean;
  /** True if `last_used_at` is old enough for this use to be recorded. */
  isUseDue: boolean;
  /** Who acts in the session for its user. */
  act: ActingParty | undefined;
  user: User;
}

export interface StateWithMemberships extends SessionState {
  memberships: Memberships;
}

export interface StateWithRules extends StateWithMemberships {
  moduleRules: DecidingRules;
}

interface StateRow extends UserRow, ActingColumns {
  session_id: string;
  is_revoked: boolean;
  is_expired: boolean;
  is_use_due: boolean;
}

/** Which columns a row has depends on the statement. */
type CheckedRow = StateRow & MembershipColumns & ModuleRulesColumn;

interface HeldRow extends ActingColumns {
  amr: string[];
  acr: AuthenticationLevel;
  auth_time: number;
  root_created_at: Date;
  expires_at: Date;
}

/**
 * Updates the user's row, which locks it: if a deactivation or a password change commits first, the condition
 * fails here; if it comes later, it waits and then finds this session among those it revokes.
 */
const INSERT = statement(
  'session_open',
  `WITH verified AS (
     UPDATE users SET last_login_at = CASE WHEN $7 = 'minted' THEN last_login_at ELSE now() END,
       device_notice_from = ${nextDeviceNotice('$22')}
     WHERE id = $2 AND is_active AND approval_status = 'APPROVED' AND token_version = $3
       AND ($4::text IS NULL OR password_hash = $4)
       AND ($19::integer IS NULL OR factor_version = $19)
       AND (NOT $21::boolean OR email_verified_at IS NOT NULL)
     RETURNING id, email, full_name, ${IS_DEVICE_NOTICED} AS is_device_noticed,
       ${IS_DEVICE_ACCEPTED} AS is_device_accepted
   ), opened AS (
     INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, auth_time, grant_digest,
       ip_address, user_agent, device_name, parent_session_id, root_created_at, expires_at, acr,
       acting_sub, acting_user_id, acting_name, acting_session_id, acting_reason, acting_until)
     SELECT $1, id, $5, $6, $7, $8, to_timestamp($9), $10, $11, $12, $13, $14, $15, least(
       now() + make_interval(secs => $16), coalesce($15::timestamptz, now()) + make_interval(secs => $17), $29::timestamptz), $20,
       $24, $25::uuid, $26, $27::uuid, $28, $29
     FROM verified
     RETURNING id
   ), recorded AS (${deviceUpsertFrom('verified', '$22', '$23')}
   ), released AS (${heldBackReleaseFrom('verified', '$22')}
   ), evicted AS (${deviceEvictionFrom('verified', '$22')}
   ), noticed AS (${deviceNoticeOf('verified', '$22', '$23')}
   ), mailed AS (${mailInsertFrom('noticed', 'true', 'noticed.notice')}
   ), audited AS (${auditInsertFrom('opened', '$18')})
   SELECT is_device_noticed FROM opened JOIN verified ON true`,
);

const STATE = `s.id AS session_id, s.is_revoked, s.expires_at <= now() AS is_expired,
     s.last_used_at < now() - interval '1 minute' AS is_use_due, s.acting_sub, s.acting_user_id, s.acting_name,
     ${userColumns('u').join(', ')}`;

/**
 * Returns the statement that reads sessions with their users. The limit lets PostgreSQL plan for one session at a time: it
 * then reads each by its index. For a batch whose size it does not know it expects ten, and would read all of a table of some
 * hundred users instead, which takes twice the time.
 */
const ofSessions = (columns: string): string => `
  SELECT found.* FROM unnest(${idBatch('$1')}) AS asked (id)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = asked.id LIMIT 1
  ) AS found`;

const CHECK = statement('session_check', ofSessions(STATE));

const CHECK_WITH_MEMBERSHIPS = statement(
  'session_check_with_memberships',
  ofSessions(`${STATE}, ${membershipColumns('u.id')}`),
);

const CHECK_WITH_RULES = statement(
  'session_check_with_rules',
  ofSessions(`${STATE}, ${membershipColumns('u.id')}, ${moduleRulesColumn('u.id')}`),
);

/**
 * Skips rows that are locked elsewhere: a transaction that holds several of them must never wait for this.
 */
const TOUCH = statement(
  'session_touch',
  `UPDATE sessions SET last_used_at = now() WHERE id = ANY(ARRAY(
     SELECT id FROM sessions
     WHERE id = ANY(${idBatch('$1')}) AND NOT is_revoked AND last_used_at < now() - interval '1 minute'
     FOR NO KEY UPDATE SKIP LOCKED))`,
);

const LIMIT_FROM_NOW = statement(
  'session_limit_from_now',
  'SELECT least(now() + make_interval(secs => $1), $2::timestamptz) AS until',
);

/** Creates and checks sessions. `RotationRepository` rotates them, `SessionTreeRepository` revokes them. */
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
    ];
    const write = (auditParameter: string) =>
      this.#database.query<InsertedRow>(INSERT, valuesWith(auditParameter), trx);
    try {
      const row = await this.#audit.insertBy(audit, write, trx);
      return row && { isDeviceNoticed: row.is_device_noticed };
    } catch (error) {
      if (violatedConstraint(error) === 'sessions_grant_key') throw new GrantSpentError(error);
      throw error;
    }
  }

  /** Returns the state of these sessions and their users, by session id; unknown ids are missing. */
  check(sessionIds: readonly string[]): Promise<Map<string, SessionState>> {
    return this.#states(CHECK, sessionIds, toState);
  }

  /** Returns the same with all active memberships of the users, still in one query. */
  checkWithMemberships(sessionIds: readonly string[]): Promise<Map<string, StateWithMemberships>> {
    return this.#states(CHECK_WITH_MEMBERSHIPS, sessionIds, toStateWithMemberships);
  }

  /** Returns the same with the module rules of the memberships, still in one query. */
  checkWithRules(sessionIds: readonly string[]): Promise<Map<string, StateWithRules>> {
    return this.#states(CHECK_WITH_RULES, sessionIds, toStateWithRules);
  }

  async #states<State>(
    check: Statement,
    sessionIds: readonly string[],
    read: (row: CheckedRow) => State,
  ): Promise<Map<string, State>> {
    const rows = await this.#database.query<CheckedRow>(check, [sessionIds]);
    return new Map(rows.map((row) => [row.session_id, read(row)]));
  }

  /** Records that these sessions were used, at most once a minute each. */
  async touch(sessionIds: readonly string[]): Promise<void> {
    await this.#database.query(TOUCH, [sessionIds]);
  }

  /** Returns the user of a session, active or not. */
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
    const [row] = await this.#database.query<{ until: Date }>(LIMIT_FROM_NOW, [seconds, other], trx);
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
}

/** A presented refresh token as the database compares it. */
export interface PresentedToken {
  selectorDigest: Buffer;
  generation: number;
  secretDigest: Buffer;
  /** True if this service issued it, at whatever time. */
  isGenuine: boolean;
}

const toStateWithMemberships = (row: StateRow & MembershipColumns): StateWithMemberships =>
  Object.assign(toState(row), { memberships: toMemberships(row) });

const toStateWithRules = (row: CheckedRow): StateWithRules =>
  Object.assign(toStateWithMemberships(row), { moduleRules: toDecidingRules(row.module_rules) });

function toState(row: StateRow): SessionState {
  return {
    isRevoked: row.is_revoked,
    isExpired: row.is_expired,
    isUseDue: row.is_use_due,
    act: toActingParty(row),
    user: toUser(row),
  };
}

const actingValues = (acting: NewActing | undefined): unknown[] => [
  acting?.party.sub,
  acting?.party.userId,
  acting?.party.name,
  acting?.sessionId,
  acting?.reason,
  acting?.until,
];
