import type { Logger } from '../kernel/logger.js';
import type { SessionRepository } from './session-repository.js';

/** Milliseconds for which uses are collected before they are written. */
const FLUSH_MS = 2_000;
const BATCH = 1_000;

/**
 * Records when sessions were last used: in batches, outside of requests, at most once a minute for each
 * session.
 */
export class LastUsedRecorder {
  readonly #sessions: SessionRepository;
  readonly #logger: Logger;
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sessions: SessionRepository, logger: Logger) {
    this.#sessions = sessions;
    this.#logger = logger;
  }

  record(sessionId: string): void {
    this.#due.add(sessionId);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#due];
    this.#due.clear();
    try {
      for (let start = 0; start < due.length; start += BATCH) {
        await this.#sessions.touch(due.slice(start, start + BATCH));
      }
    } catch (error) {
      // The next use of each session records it again.
      this.#logger.debug(
        { err: error, sessions: due.length },
        'The last use of sessions was not recorded; their next use records it.',
      );
    }
  }
}
