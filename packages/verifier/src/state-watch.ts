import type { VerifierClock } from './clock.js';
import type { FeedReader } from './feed/feed-reader.js';
import type { Freshness } from './feed/freshness.js';
import type { Revocations } from './feed/revocations.js';
import { quietInterval } from './timers.js';
import type { VerifierStatus } from './verifier-status.js';

interface StateWatchDeps {
  readonly freshness: Freshness;
  readonly revocations: Revocations;
  readonly reader: Pick<FeedReader, 'dropStale'>;
  readonly clock: VerifierClock;
  /** Called after each change. */
  readonly onChange: (state: VerifierStatus['state']) => void;
}

const INTERVAL_MS = 1_000;

/** Notices when the feed becomes live or stale, and drops a connection that has become stale. */
export class StateWatch {
  readonly #deps: StateWatchDeps;
  readonly #stop: () => void;
  #state: Pick<VerifierStatus, 'state' | 'since'>;

  constructor(deps: StateWatchDeps) {
    this.#deps = deps;
    this.#state = { state: 'stale', since: new Date(deps.clock.now()) };
    this.#stop = quietInterval(() => this.#tick(), INTERVAL_MS);
  }

  /** Returns the state as of now. */
  observe(): Pick<VerifierStatus, 'state' | 'since'> {
    const { freshness, reader, clock, onChange } = this.#deps;
    const state = freshness.isLive() ? 'live' : 'stale';
    if (state === 'stale') reader.dropStale();
    if (state === this.#state.state) return this.#state;
    this.#state = { state, since: new Date(clock.now()) };
    onChange(state);
    return this.#state;
  }

  close(): void {
    this.#stop();
  }

  #tick(): void {
    this.observe();
    this.#deps.revocations.forgetExpired();
  }
}
