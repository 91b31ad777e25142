import { statement, type Database, type Transaction } from '../storage/database.js';

// A notice that is not due yet counts this registration, too. The first condition spares those the lock of the row; the
// last decides between transactions that pass it at once.
const SCHEDULE = statement(
  'approval_notice_schedule',
  `INSERT INTO approval_notices AS n (recipient, due_at)
   SELECT wanted, now() FROM unnest($1::text[]) AS wanted
   WHERE NOT EXISTS (SELECT 1 FROM approval_notices WHERE recipient = wanted AND due_at > now())
   ORDER BY wanted
   ON CONFLICT (recipient) DO UPDATE SET due_at = greatest(now(), n.due_at + interval '1 hour')
   WHERE n.due_at <= now()
   RETURNING recipient, due_at AS "dueAt"`,
);

/** A notice that this transaction has scheduled. */
interface ScheduledNotice {
  recipient: string;
  dueAt: Date;
}

/** Schedules the notices about registrations that wait for approval. */
export class ApprovalNoticeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Schedules a notice to each address without a pending one, an hour after the previous one at the earliest.
   * Of simultaneous transactions one schedules it.
   */
  schedule(recipients: readonly string[], trx: Transaction): Promise<ScheduledNotice[]> {
    return this.#database.query<ScheduledNotice>(SCHEDULE, [recipients], trx);
  }

  /** Forgets when notices were sent to these addresses. */
  async remove(recipients: readonly string[], trx: Transaction): Promise<void> {
    await trx('approval_notices')
      .whereIn('recipient', [...recipients])
      .delete();
  }
}
