import type { AuditEvent } from '../audit/audit-event.js';
import { type AuditRepository, auditInsertFrom } from '../audit/audit-repository.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { CLAIMS, toClaims, type ClaimsRow, type SessionClaims } from './rotation-repository.js';
import { sessionLevel } from './session-level.js';

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
 * Locks the row of the user: a deactivation or a password change that commits first fails the condition, also after a
 * wait. The session is compared on its current row, so one that was revoked meanwhile is not raised; nor is one in which
 * an actor acts for the user. Nothing is ever
 * lowered: of simultaneous proofs each adds its methods, and the latest time stays.
 */
const RAISE = statement(
  'session_raise',
  `WITH u AS (
     SELECT id, global_role, token_version FROM users
     WHERE id = $2 AND is_active AND approval_status = 'APPROVED' AND token_version = $3
       AND ($4::text IS NULL OR password_hash = $4)
     FOR NO KEY UPDATE
   ), raised AS (
     UPDATE sessions s
     SET auth_time = greatest(s.auth_time, to_timestamp($6)),
       amr = s.amr || ARRAY(SELECT method FROM unnest($5::text[]) WITH ORDINALITY AS proof (method, place)
         WHERE method <> ALL (s.amr) ORDER BY place),
       acr = coalesce($8, s.acr),
       second_factor_at = CASE WHEN $8 = 'aal2' THEN now() ELSE s.second_factor_at END,
       step_up_ceremony_at = coalesce(to_timestamp($7::float8 / 1000), s.step_up_ceremony_at)
     FROM u
     WHERE s.id = $1 AND s.user_id = u.id AND NOT s.is_revoked AND s.expires_at > now() AND s.acting_sub IS NULL
       AND ($7::float8 IS NULL OR s.step_up_ceremony_at IS NULL
         OR s.step_up_ceremony_at < to_timestamp($7::float8 / 1000))
     RETURNING ${CLAIMS}
   ), audited AS (${auditInsertFrom('raised', '$9')})
   SELECT * FROM raised`,
);

/**
 * A session that had its level from the start proved the factor then: its root did, if a hand-off created it.
 */
const HAS_RECENT_FACTOR = statement(
  'session_has_recent_factor',
  `SELECT id FROM sessions s
   WHERE id = $1 AND ${sessionLevel('s')} = 'aal2'
     AND coalesce(second_factor_at, root_created_at, created_at) > now() - make_interval(secs => $2)`,
);

/** Raises sessions whose user has proved their identity again. */
export class StepUpRepository {
  readonly #database: Database;
  readonly #audit: AuditRepository;

  constructor(database: Database, audit: AuditRepository) {
    this.#database = database;
    this.#audit = audit;
  }

  /**
   * Adds the methods of a proof to an active session and sets the time of its sign-in, if the user may still sign in
   * and what was verified still holds. Neither its parent nor its children change.
   * @returns the claims of the session; undefined when nothing was raised.
   */
  async raise(raise: SessionRaise, audit: AuditEvent, trx?: Transaction): Promise<SessionClaims | undefined> {
    const row = await this.#audit.insertBy(
      audit,
      (auditParameter) => this.#database.query<ClaimsRow>(RAISE, [...valuesOf(raise), auditParameter], trx),
      trx,
    );
    return row && toClaims(row);
  }

  /** Returns whether a second factor was proved in the session, or a passkey used, at most this many seconds ago. */
  async hasRecentFactor(sessionId: string, maxAgeSeconds: number, trx?: Transaction): Promise<boolean> {
    return (await this.#database.query(HAS_RECENT_FACTOR, [sessionId, maxAgeSeconds], trx)).length > 0;
  }
}

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
