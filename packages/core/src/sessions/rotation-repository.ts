import { GroupCommit } from '../kernel/group-commit.js';
import { batchOf, statement, type Database, type Transaction } from '../storage/database.js';
import type { ActClaim } from '../tokens/access-token-claims.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { GlobalRole, User } from '../users/user.js';
import type { Lifetimes } from './lifetimes.js';
import { sessionLevel } from './session-level.js';

/** A presented refresh token as the database compares it. */
export interface PresentedToken {
  selectorDigest: Buffer;
  generation: number;
  secretDigest: Buffer;
  /** True if this service issued it, at whatever time. */
  isGenuine: boolean;
}

/** Claims of an access token, as read from the rows of session and user. */
export interface SessionClaims {
  sessionId: string;
  userId: string;
  globalRole: GlobalRole;
  tokenVersion: number;
  authTime: number;
  amr: string[];
  acr: AuthenticationLevel;
  /** Who acts in the session for its user. */
  act?: ActClaim | undefined;
  /** Latest end of the session, in seconds since the epoch. */
  notAfter?: number | undefined;
}

/** A session found by its selector. */
export interface FoundSession extends SessionClaims {
  generation: number;
  secretDigest: Buffer;
  isRevoked: boolean;
  isExpired: boolean;
  /** Milliseconds from the last rotation to the arrival of this request; negative if the request was here first. */
  rotationLead: number | null;
  approvalStatus: User['approvalStatus'];
  isActive: boolean;
}

export interface ClaimsRow {
  id: string;
  user_id: string;
  global_role: GlobalRole;
  token_version: number;
  auth_time: string;
  amr: string[];
  acr: AuthenticationLevel;
  acting_sub: string | null;
  not_after: string | null;
}

interface GroupRow extends ClaimsRow {
  /** From 1. */
  position: string;
}

interface FoundRow extends ClaimsRow {
  generation: number;
  secret_digest: Buffer;
  is_revoked: boolean;
  is_expired: boolean;
  rotation_lead: number | null;
  approval_status: User['approvalStatus'];
  is_active: boolean;
}

/** Columns of the claims, of the row `s` of the session and the row `u` of its user. */
export const CLAIMS = `s.id, s.user_id, u.global_role, u.token_version, extract(epoch FROM s.auth_time)::bigint AS auth_time, s.amr,
  ${sessionLevel('s')} AS acr, s.acting_sub, trunc(extract(epoch FROM s.acting_until))::bigint AS not_after`;

/** Returns what a rotation sets; `clock_timestamp` because a wait for the row's lock must not age it. */
const rotated = (successor: string, idle: string, absolute: string): string => `
   SET generation = s.generation + 1, secret_digest = ${successor}, rotated_at = clock_timestamp(), last_used_at = now(),
     expires_at = least(now() + make_interval(secs => ${idle}),
       coalesce(s.root_created_at, s.created_at) + make_interval(secs => ${absolute}), s.acting_until)`;

const MAY_ROTATE = `NOT s.is_revoked AND s.expires_at > now()
     AND u.id = s.user_id AND u.is_active AND u.approval_status = 'APPROVED'`;

/** Decides and rotates in one statement. */
const ROTATE = statement(
  'session_rotate',
  `UPDATE sessions s ${rotated('$4', '$5', '$6')}
   FROM users u
   WHERE s.selector_digest = $1 AND s.generation = $2 AND s.secret_digest = $3 AND ${MAY_ROTATE}
   RETURNING ${CLAIMS}`,
);

/**
 * The same for several tokens. Skips rows that are locked elsewhere: a statement that holds some rows must never wait for
 * others, and a refresh not for the locks of other sessions. A row that was changed meanwhile is judged as it is now.
 */
const ROTATE_GROUP = statement(
  'session_rotate_group',
  `WITH held AS MATERIALIZED (
     SELECT found.id, asked.successor, asked.idle, asked.absolute, asked.position
     FROM unnest(${batchOf('$1', 'bytea')}, ${batchOf('$2', 'integer')}, ${batchOf('$3', 'bytea')},
       ${batchOf('$4', 'bytea')}, ${batchOf('$5', 'float8')}, ${batchOf('$6', 'float8')}) WITH ORDINALITY
       AS asked (selector, generation, secret, successor, idle, absolute, position)
     CROSS JOIN LATERAL (
       SELECT s.id FROM sessions s
       WHERE s.selector_digest = asked.selector AND s.generation = asked.generation AND s.secret_digest = asked.secret
       LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
     ) AS found
   )
   UPDATE sessions s ${rotated('held.successor', 'held.idle', 'held.absolute')}
   FROM held, users u
   WHERE s.id = held.id AND ${MAY_ROTATE}
   RETURNING ${CLAIMS}, held.position`,
);

/** `statement_timestamp` is when the statement arrived, so waiting for a lock does not count. */
const FIND = statement(
  'session_by_selector',
  `SELECT ${CLAIMS}, s.generation, s.secret_digest, s.is_revoked, s.expires_at <= now() AS is_expired,
     (extract(epoch FROM statement_timestamp() - s.rotated_at) * 1000)::float8 - $2::float8 AS rotation_lead,
     u.approval_status, u.is_active
   FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.selector_digest = $1`,
);
const LOCK = statement('session_lock_by_selector', `${FIND.text} FOR UPDATE OF s`);

/** A token to rotate. */
interface Rotation {
  token: PresentedToken;
  successorDigest: Buffer;
  lifetimes: Lifetimes;
}

/** Undefined if nothing was rotated; `skipped` if that may be for a lock on the row. */
type RotationResult = SessionClaims | undefined | 'skipped';

/** Rotates refresh tokens. */
export class RotationRepository {
  readonly #database: Database;
  readonly #group: GroupCommit<Rotation, RotationResult>;

  constructor(database: Database) {
    this.#database = database;
    this.#group = new GroupCommit((rotations) => this.#rotateGroup(rotations));
  }

  /**
   * Replaces the presented token by its successor, if it is the current one of an active session whose user
   * may sign in. Of simultaneous calls with one token exactly one does. Calls at the same time share a statement.
   * @returns undefined when nothing was rotated.
   */
  async rotate(
    token: PresentedToken,
    successorDigest: Buffer,
    lifetimes: Lifetimes,
    trx?: Transaction,
  ): Promise<SessionClaims | undefined> {
    const rotation = { token, successorDigest, lifetimes };
    const result = trx ? 'skipped' : await this.#group.add(rotation);
    return result === 'skipped' ? this.#rotateOne(rotation, trx) : result;
  }

  async #rotateOne(
    { token, successorDigest, lifetimes }: Rotation,
    trx?: Transaction,
  ): Promise<SessionClaims | undefined> {
    const { selectorDigest, generation, secretDigest } = token;
    const { idle, absolute } = lifetimes;
    const values = [selectorDigest, generation, secretDigest, successorDigest, idle, absolute];
    const [row] = await this.#database.query<ClaimsRow>(ROTATE, values, trx);
    return row && toClaims(row);
  }

  async #rotateGroup(rotations: readonly Rotation[]): Promise<RotationResult[]> {
    const [only, ...others] = rotations;
    if (only && others.length === 0) return [await this.#rotateOne(only)];
    const rows = await this.#database.query<GroupRow>(ROTATE_GROUP, [
      rotations.map(({ token }) => token.selectorDigest),
      rotations.map(({ token }) => token.generation),
      rotations.map(({ token }) => token.secretDigest),
      rotations.map(({ successorDigest }) => successorDigest),
      rotations.map(({ lifetimes }) => lifetimes.idle),
      rotations.map(({ lifetimes }) => lifetimes.absolute),
    ]);
    const rotated = new Map(rows.map((row) => [Number(row.position), toClaims(row)]));
    return rotations.map((_rotation, index) => rotated.get(index + 1) ?? 'skipped');
  }

  /**
   * Returns the session of a selector; with `trx`, its row is locked until the transaction ends.
   * @param inFlightFor returns for how many milliseconds this process has known the request; called right
   * before the statement is sent.
   */
  async find(
    selectorDigest: Buffer,
    inFlightFor: () => number,
    trx?: Transaction,
  ): Promise<FoundSession | undefined> {
    const [row] = trx
      ? await this.#database.query<FoundRow>(LOCK, [selectorDigest, inFlightFor()], trx)
      : await this.#database.queryOnConnection<FoundRow>(FIND, () => [selectorDigest, inFlightFor()]);
    return row && toFound(row);
  }
}

export function toClaims(row: ClaimsRow): SessionClaims {
  return {
    sessionId: row.id,
    userId: row.user_id,
    globalRole: row.global_role,
    tokenVersion: row.token_version,
    authTime: Number(row.auth_time),
    amr: row.amr,
    acr: row.acr,
    act: row.acting_sub === null ? undefined : { sub: row.acting_sub },
    notAfter: row.not_after === null ? undefined : Number(row.not_after),
  };
}

function toFound(row: FoundRow): FoundSession {
  return {
    ...toClaims(row),
    generation: row.generation,
    secretDigest: row.secret_digest,
    isRevoked: row.is_revoked,
    isExpired: row.is_expired,
    rotationLead: row.rotation_lead,
    approvalStatus: row.approval_status,
    isActive: row.is_active,
  };
}
