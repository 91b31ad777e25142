import { statement, type Database, type Transaction } from '../storage/database.js';
import type { ActClaim } from '../tokens/access-token-claims.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { GlobalRole, User } from '../users/user.js';
import type { Lifetimes } from './lifetimes.js';
import { sessionLevel } from './session-level.js';
import type { PresentedToken } from './session-repository.js';

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

/** Decides and rotates in one statement; `clock_timestamp` because a wait for the row's lock must not age it. */
const ROTATE = statement(
  'session_rotate',
  `UPDATE sessions s
   SET generation = s.generation + 1, secret_digest = $4, rotated_at = clock_timestamp(), last_used_at = now(),
     expires_at = least(now() + make_interval(secs => $5), 
       coalesce(s.root_created_at, s.created_at) + make_interval(secs => $6), s.acting_until)
   FROM users u
   WHERE s.selector_digest = $1 AND s.generation = $2 AND s.secret_digest = $3
     AND NOT s.is_revoked AND s.expires_at > now()
     AND u.id = s.user_id AND u.is_active AND u.approval_status = 'APPROVED'
   RETURNING ${CLAIMS}`,
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

/** Rotates refresh tokens. */
export class RotationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Replaces the presented token by its successor, if it is the current one of an active session whose user
   * may sign in. Of simultaneous calls with one token exactly one does.
   * @returns undefined when nothing was rotated.
   */
  async rotate(
    token: PresentedToken,
    successorDigest: Buffer,
    lifetimes: Lifetimes,
    trx?: Transaction,
  ): Promise<SessionClaims | undefined> {
    const { selectorDigest, generation, secretDigest } = token;
    const { idle, absolute } = lifetimes;
    const values = [selectorDigest, generation, secretDigest, successorDigest, idle, absolute];
    const [row] = await this.#database.query<ClaimsRow>(ROTATE, values, trx);
    return row && toClaims(row);
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
