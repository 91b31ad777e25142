import type { AuditEvent } from '../audit/audit-event.js';
import { type AuditRepository, auditInsertFrom } from '../audit/audit-repository.js';
import { statement, type Database } from '../storage/database.js';

/**
 * Result of claiming a session for a confirmation: `busy` while another one is running, `exhausted` after too
 * many wrong ones.
 */
export type ConfirmationClaim = 'claimed' | 'busy' | 'exhausted' | 'revoked' | 'expired';

/**
 * Counts the confirmation as wrong before it is checked. If the process dies during the check, the session is
 * locked for 15 seconds, longer than any request lasts.
 */
const CLAIM = statement(
  'session_claim_confirmation',
  `UPDATE sessions
   SET failed_confirmations = failed_confirmations + 1, confirming_until = now() + interval '15 seconds'
   WHERE id = $1 AND NOT is_revoked AND expires_at > now() AND failed_confirmations < $2
     AND (confirming_until IS NULL OR confirming_until <= now())
   RETURNING id`,
);

const EXPLAIN = statement(
  'session_explain_confirmation',
  `SELECT CASE WHEN is_revoked THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
     WHEN failed_confirmations >= $2 AND (confirming_until IS NULL OR confirming_until <= now()) THEN 'exhausted'
     ELSE 'busy' END AS claim
   FROM sessions WHERE id = $1`,
);

const CONFIRM = statement(
  'session_confirm',
  'UPDATE sessions SET failed_confirmations = 0, confirming_until = NULL WHERE id = $1',
);

const TAKE_BACK = statement(
  'session_take_back_confirmation',
  `UPDATE sessions
   SET failed_confirmations = greatest(failed_confirmations - 1, 0), confirming_until = NULL WHERE id = $1`,
);

const FAIL = statement(
  'session_fail_confirmation',
  `WITH failed AS (
     UPDATE sessions SET confirming_until = NULL WHERE id = $1 RETURNING id, failed_confirmations
   ), audited AS (${auditInsertFrom('failed', '$2')})
   SELECT failed_confirmations FROM failed`,
);

/** Counts the wrong confirmations of a session, on its row. */
export class ConfirmationRepository {
  readonly #database: Database;
  readonly #audit: AuditRepository;

  constructor(database: Database, audit: AuditRepository) {
    this.#database = database;
    this.#audit = audit;
  }

  /**
   * Claims the session for one confirmation, counted as wrong until its result is recorded. Of parallel
   * claims one succeeds.
   */
  async claim(sessionId: string, limit: number): Promise<ConfirmationClaim> {
    const claimed = await this.#database.query(CLAIM, [sessionId, limit]);
    if (claimed.length > 0) return 'claimed';
    const [row] = await this.#database.query<{ claim: ConfirmationClaim }>(EXPLAIN, [sessionId, limit]);
    return row?.claim ?? 'revoked';
  }

  /** Records that the confirmation was right: the count starts again at zero. */
  async confirm(sessionId: string): Promise<void> {
    await this.#database.query(CONFIRM, [sessionId]);
  }

  /** Records that the confirmation was not checked: it does not count. */
  async takeBack(sessionId: string): Promise<void> {
    await this.#database.query(TAKE_BACK, [sessionId]);
  }

  /**
   * Records that the confirmation was wrong.
   * @returns the number of wrong ones in a row, this one included.
   */
  async fail(sessionId: string, audit: AuditEvent): Promise<number> {
    const row = await this.#audit.insertBy(audit, (parameter) =>
      this.#database.query<{ failed_confirmations: number }>(FAIL, [sessionId, parameter]),
    );
    return row?.failed_confirmations ?? 0;
  }
}
