import type { AuditListRepository } from './audit-list-repository.js';
import { toAuditEntryView, type AuditRow } from './audit-row.js';
import type { AuditEntryView, CheckedAuditFilter } from './audit-schema.js';

/**
 * How far each look reaches back, in milliseconds. A row bears the time at which its transaction began and shows when
 * that commits, so it may stand before rows that were seen already. The database ends a transaction that rests for
 * 10 s and a statement of 4 s: one that takes longer than this is none of the service's.
 */
const OVERLAP = 30_000;
const MOST_ROWS = 500;

/**
 * The audit log as it grows, oldest first; each entry once.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const tail = kit.auth.auditLog.follow({ subjectUserId: id }, { last: 10 });
 * const entries = await tail.next();
 * entries[0]?.event; // → 'user_created'
 * (await tail.next()).length; // → 0
 * ```
 */
export class AuditTail {
  readonly #rows: AuditListRepository;
  readonly #filter: CheckedAuditFilter;
  readonly #last: number;
  /** Where the next look begins; undefined before the first. */
  #from: Date | undefined;
  /** What was given and could be met again, with its time. */
  readonly #given = new Map<string, number>();

  /** @param options `last`: how many of the newest entries to begin with; without effect when `filter.from` is set. */
  constructor(rows: AuditListRepository, filter: CheckedAuditFilter, { last }: { last: number }) {
    this.#rows = rows;
    this.#filter = filter;
    this.#last = last;
    this.#from = filter.from;
  }

  /**
   * What has come since the call before, as far as it fits: call it again at once until nothing comes. A call that
   * failed has lost nothing.
   * @throws AuthError `service_unavailable`
   */
  async next(): Promise<AuditEntryView[]> {
    const now = await this.#rows.now();
    const rows = this.#from ? await this.#look(this.#from, now) : await this.#begin(now);
    for (const row of rows) this.#given.set(row.id, row.occurred_at.getTime());
    return rows.map(toAuditEntryView);
  }

  /** What stands in the overlap already is old news, but for the last few. */
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

  /** A margin of one more overlap, should the clock of the database be set back. */
  #forget(until: Date): void {
    for (const [id, time] of this.#given) if (time < until.getTime()) this.#given.delete(id);
  }
}

const before = (time: Date): Date => new Date(time.getTime() - OVERLAP);

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
