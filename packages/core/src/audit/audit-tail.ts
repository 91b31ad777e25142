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

/**
 * The audit log as it grows, oldest first; each entry once.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const tail = kit.auth.admin.audit.follow({ subjectUserId: id }, { last: 10 });
 * const entries = await tail.next();
 * entries[0]?.event; // → 'user_created'
 * (await tail.next()).length; // → 0
 * ```
 */
export class AuditTail {
  readonly #rows: AuditListRepository;
  readonly #filter: CheckedAuditFilter;
  readonly #last: number;
  /** Start of the next read; undefined before the first. */
  #from: Date | undefined;
  /** Returned entries that the next read may find again, with their times. */
  readonly #given = new Map<string, number>();

  /** @param options `last`: number of the newest entries to begin with; without effect if `filter.from` is set. */
  constructor(rows: AuditListRepository, filter: CheckedAuditFilter, { last }: { last: number }) {
    this.#rows = rows;
    this.#filter = filter;
    this.#last = last;
    this.#from = filter.from;
  }

  /**
   * Returns the entries since the previous call, 500 at most: call it again at once until it returns none. A
   * failed call loses no entry.
   * @throws AuthError `service_unavailable`
   */
  async next(): Promise<AuditEntryView[]> {
    const now = await this.#rows.now();
    const rows = this.#from ? await this.#look(this.#from, now) : await this.#begin(now);
    for (const row of rows) this.#given.set(row.id, row.occurred_at.getTime());
    return rows.map(toAuditEntryView);
  }

  /** Starts with the last entries; the others in the overlap are not returned. */
  async #begin(now: Date): Promise<AuditRow[]> {
    const from = before(now);
    const known = await this.#rows.idsSince(this.#filter, from);
    const newest = this.#last > 0 ? await this.#rows.list(this.#filter, undefined, this.#last) : [];
    for (const { id, occurred_at: time } of known) this.#given.set(id, time.getTime());
    this.#from = from;
    return newest.toReversed();
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

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
