import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { withDeadline } from '../kernel/deadline.js';
import { cursorGone, cursorOf, positionOf } from './feed-cursor.js';
import type { FeedCounts, PollListener, RevocationPoller } from './revocation-poller.js';
import type { RevocationReading, RevocationRepository } from './revocation-repository.js';
import { revocationQuery } from './revocation-schema.js';
import type { RevocationPage } from './revocation.js';

/** A request for revocations. */
export interface RevocationRequest {
  /** The cursor of a previous page. Without it the page is a snapshot of everything that still matters. */
  after?: string | undefined;
  /** Seconds to wait for entries if there are none, 0–25. Defaults to 0; ignored without `after`. */
  wait?: number | undefined;
  /** Aborting it ends the wait. */
  signal?: AbortSignal | undefined;
}

/** Receives revocations as they are committed. The methods must return at once. */
export type RevocationListener = Omit<PollListener, 'onStale'>;

/** A listener of the feed, with the page from which it starts. */
export interface RevocationFollowing {
  page: RevocationPage;
  leave: () => void;
}

/**
 * The feed of what ends access tokens, for services that verify tokens by themselves. A revocation is in the feed within
 * a second of its commit; none is skipped, and entries may repeat.
 * @example
 * ```ts
 * const countSessions = async (feed: RevocationFeed): Promise<number> =>
 *   (await feed.read()).entries.filter(({ type }) => type === 'session-revoked').length;
 * const before = await countSessions(kit.auth.revocations);
 * const { id } = await kit.user();
 * await kit.auth.admin.sessions.revokeAll({ kind: 'operator', name: 'alice' }, id);
 * (await countSessions(kit.auth.revocations)) - before; // → 1
 * ```
 */
export class RevocationFeed {
  readonly #deps;
  /** Shared by all readers that arrive while it is read. */
  #snapshot: Promise<RevocationPage> | undefined;

  constructor(deps: { readonly revocations: RevocationRepository; readonly poller: RevocationPoller }) {
    this.#deps = deps;
  }

  /** Numbers for metrics. */
  get counts(): FeedCounts {
    return this.#deps.poller.counts;
  }

  /**
   * Returns what was revoked after the cursor, or without a cursor everything that still matters. With `wait` it waits for
   * entries; a stop of the service ends the wait.
   * @throws AuthError `gone` for a cursor that is unknown or too old, `validation_error`, `service_unavailable` when the
   * database has not been read for two seconds, `not_ready` for a wait while the service stops.
   */
  async read({ signal, ...request }: RevocationRequest = {}): Promise<RevocationPage> {
    const { after, wait = 0 } = checkInput(revocationQuery, request, 'query');
    this.#deps.poller.assertReadable();
    if (after === undefined) return this.#readAll();
    return wait === 0 ? this.#readSince(after) : this.#wait(after, wait * 1000, signal);
  }

  /**
   * Passes every later page to the listener, until `leave`. The first page is that of `read`.
   * @throws AuthError as `read`; the listener is then not called any more.
   */
  async follow(
    { after }: Pick<RevocationRequest, 'after'>,
    listener: RevocationListener,
  ): Promise<RevocationFollowing> {
    const { poller } = this.#deps;
    this.#assertOpen();
    const leave = poller.join(listener);
    try {
      // From here on the listener receives what commits, so nothing is lost between the page and the next.
      await poller.ready();
      const page = await (after === undefined ? this.#readAll() : this.#readSince(after));
      return { page, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends every wait and every listener; call it when the service begins to stop. */
  stop(): void {
    this.#deps.poller.close();
  }

  async #wait(after: string, waitMs: number, signal: AbortSignal | undefined): Promise<RevocationPage> {
    this.#assertOpen();
    const arrival = new Arrival();
    const { poller } = this.#deps;
    const leave = poller.join(arrival);
    // All that the poller has passed by so far had no entries, so its cursor is as good as the page's, and younger.
    const giveUp = (): void => {
      const { cursor } = poller;
      arrival.settle(cursor === undefined ? undefined : { cursor, entries: [] });
    };
    const timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener('abort', giveUp);
    try {
      await poller.ready();
      const page = await this.#readSince(after);
      return page.entries.length > 0 ? page : ((await arrival.page) ?? page);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      leave();
    }
  }

  #readAll(): Promise<RevocationPage> {
    this.#snapshot ??= this.#inTime(this.#deps.revocations.readAll()).finally(() => {
      this.#snapshot = undefined;
    });
    return this.#snapshot;
  }

  async #readSince(after: string): Promise<RevocationPage> {
    return this.#inTime(this.#deps.revocations.readSince(positionOf(after)));
  }

  async #inTime(reading: Promise<RevocationReading>): Promise<RevocationPage> {
    const { position, entries } = await withDeadline(reading, READING_MS, 'The database is too slow.');
    return { cursor: cursorOf(position), entries };
  }

  #assertOpen(): void {
    if (!this.#deps.poller.isClosed) return;
    throw new AuthError('not_ready', 'The service is stopping.', {
      reason: 'stopping',
      retryAfterSeconds: 1,
    });
  }
}

/** A snapshot of many entries takes longer than a poll. */
const READING_MS = 4_500;

/** Settles with the first page that arrives. */
class Arrival implements PollListener {
  readonly page: Promise<RevocationPage | undefined>;
  #resolve: (page: RevocationPage | undefined) => void = () => undefined;
  #reject: (error: AuthError) => void = () => undefined;

  constructor() {
    this.page = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may be rejected before it is awaited.
    this.page.catch(() => undefined);
  }

  settle(page?: RevocationPage): void {
    this.#resolve(page);
  }

  onPage(page: RevocationPage): void {
    this.settle(page);
  }

  onStale(): void {
    this.#reject(AuthError.unavailable('The database has not been read for two seconds.'));
  }

  onEnd(reason: 'stopping' | 'gone'): void {
    if (reason === 'gone') this.#reject(cursorGone());
    else this.settle();
  }
}
