import type { RowPosition } from '../kernel/row-position.js';
import { fieldError } from '../kernel/validation-error.js';
import type { AuditListRepository, AuditStart } from './audit-list-repository.js';
import { toAuditEntryView, type AuditRow } from './audit-row.js';
import type { AuditEntryView, CheckedAuditFilter } from './audit-schema.js';

const MOST_ROWS = 500;

/** The start of a tail: this many of the newest entries, or an entry that was returned before. */
type AuditTailStart = { last: number } | { after: string };

/** A read in several pages: all of them end at the same snapshot. */
interface Reading {
  until: string;
  after: RowPosition | undefined;
}

/**
 * The audit log as it grows, oldest first; each entry once. Entries are visible once their transaction commits, in another order than
 * that of their times. So each read returns what the snapshot of the one before did not show, however long it took to commit.
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
  /** The number of entries to begin with; undefined once it has begun. */
  #last: number | undefined;
  #start: AuditStart | { after: string } | undefined;
  #reading: Reading | undefined;

  /** @param start `last` has no effect if `filter.from` is set. */
  constructor(rows: AuditListRepository, filter: CheckedAuditFilter, start: AuditTailStart) {
    this.#rows = rows;
    this.#filter = filter;
    if ('after' in start) this.#start = start;
    else if (filter.from) this.#start = { from: filter.from };
    else this.#last = start.last;
  }

  /**
   * Returns the entries since the previous call, 500 at most: call it again at once until it returns none. A
   * failed call loses no entry.
   * @throws AuthError `service_unavailable`, `validation_error` if there is no entry to begin after
   */
  async next(): Promise<AuditEntryView[]> {
    const rows = this.#start
      ? await this.#read(await this.#resolved(this.#start))
      : await this.#begin(this.#last ?? 0);
    return rows.map(toAuditEntryView);
  }

  /** Starts with the last entries; what is committed later is not among them. */
  async #begin(last: number): Promise<AuditRow[]> {
    const snapshot = await this.#rows.snapshot();
    const newest = last > 0 ? await this.#rows.list(this.#filter, undefined, last, snapshot) : [];
    this.#start = { snapshot };
    return newest.toReversed();
  }

  async #resolved(start: AuditStart | { after: string }): Promise<AuditStart> {
    const known = 'after' in start ? await this.#rows.stopAt(start.after) : start;
    if (!known) throw noEntry();
    this.#start = known;
    return known;
  }

  async #read(start: AuditStart): Promise<AuditRow[]> {
    const { until, after } = this.#reading ?? { until: await this.#rows.snapshot(), after: undefined };
    const found = await this.#rows.since(this.#filter, start, { until, after, limit: MOST_ROWS });
    const isComplete = found.length < MOST_ROWS;
    this.#reading = isComplete ? undefined : { until, after: found.at(-1) };
    if (isComplete) this.#start = { snapshot: until };
    return found;
  }
}

const noEntry = () =>
  fieldError(
    'after',
    'not_allowed',
    'is the id of no entry, or of one that was removed; use `from` in the filter',
  );
