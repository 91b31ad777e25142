import { fieldError } from '../kernel/validation-error.js';
import type { AuditListRepository } from './audit-list-repository.js';
import { toAuditEntryView, type AuditRow } from './audit-row.js';
import type { AuditEntryView, CheckedAuditFilter } from './audit-schema.js';

/**
 * Milliseconds that each read reaches back. A row has the time at which its transaction began and is visible
 * once that commits, so it may precede rows that were read already. The database ends a transaction that is
 * idle for 10 s and a statement after 4 s, so no transaction of the service takes longer than this.
 */
const OVERLAP = 30_000;
const MOST_ROWS = 500;

/** The start of a tail: this many of the newest entries, or an entry that was returned before. */
type AuditTailStart = { last: number } | { after: string };

/**
 * The audit log as it grows, oldest first; each entry once.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const tail = kit.auth.audit.follow({ subjectUserId: id }, { last: 10 });
 * const entries = await tail.next();
 * entries[0]?.event; // → 'user_created'
 * (await tail.next()).length; // → 0
 * ```
 */
export class AuditTail {
  readonly #rows: AuditListRepository;
  readonly #filter: CheckedAuditFilter;
  readonly #start: AuditTailStart;
  /** Start of the next read; undefined before the first. */
  #from: Date | undefined;
  /** Returned entries that the next read may find again, with their times. */
  readonly #given = new Map<string, number>();

  /** @param start `last` has no effect if `filter.from` is set. */
  constructor(rows: AuditListRepository, filter: CheckedAuditFilter, start: AuditTailStart) {
    this.#rows = rows;
    this.#filter = filter;
    this.#start = start;
    if ('last' in start) this.#from = filter.from;
  }

  /**
   * Returns the entries since the previous call, 500 at most: call it again at once until it returns none. A
   * failed call loses no entry.
   * @throws AuthError `service_unavailable`, `validation_error` if there is no entry to begin after
   */
  async next(): Promise<AuditEntryView[]> {
    const now = await this.#rows.now();
    if (!this.#from && 'after' in this.#start) this.#from = await this.#resume(this.#start.after);
    const rows = this.#from ? await this.#look(this.#from, now) : await this.#begin(now);
    for (const row of rows) this.#given.set(row.id, row.occurred_at.getTime());
    return rows.map(toAuditEntryView);
  }

  /** Starts with the last entries; the others in the overlap are not returned. */
  async #begin(now: Date): Promise<AuditRow[]> {
    const from = before(now);
    const known = await this.#rows.idsSince(this.#filter, from);
    const last = 'last' in this.#start ? this.#start.last : 0;
    const newest = last > 0 ? await this.#rows.list(this.#filter, undefined, last) : [];
    for (const { id, occurred_at: time } of known) this.#given.set(id, time.getTime());
    this.#from = from;
    return newest.toReversed();
  }

  /**
   * Continues after an entry: with all rows of the overlap but those that were committed when it was written. What was committed
   * between then and the moment at which the reader stopped may be returned again.
   */
  async #resume(after: string): Promise<Date> {
    const time = await this.#rows.timeOf(after);
    if (!time) {
      throw fieldError(
        'after',
        'not_allowed',
        'is the id of no entry, or of one that was removed; use `from` in the filter',
      );
    }
    const from = later(before(time), this.#filter.from);
    for (const seen of await this.#rows.idsSeenAt(after, from))
      this.#given.set(seen.id, seen.occurred_at.getTime());
    return from;
  }

  async #look(from: Date, now: Date): Promise<AuditRow[]> {
    const options = { except: [...this.#given.keys()], limit: MOST_ROWS };
    const rows = await this.#rows.since(this.#filter, from, options);
    const last = rows.length < MOST_ROWS ? undefined : rows.at(-1);
    this.#from = earlier(before(now), last?.occurred_at ?? now);
    this.#forget(before(this.#from));
    return rows;
  }

  /** Forgets returned entries, with a margin of one more overlap in case the clock of the database is set back. */
  #forget(until: Date): void {
    for (const [id, time] of this.#given) if (time < until.getTime()) this.#given.delete(id);
  }
}

const before = (time: Date): Date => new Date(time.getTime() - OVERLAP);

const later = (a: Date, b: Date | undefined): Date => (b && b > a ? b : a);

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
