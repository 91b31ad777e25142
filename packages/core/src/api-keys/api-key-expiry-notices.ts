import type { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import type { Logger } from '../kernel/logger.js';
import type { Outbox } from '../mail/outbox.js';

const INTERVAL_MS = 15 * 60_000;
/** Keys in one statement. */
const BATCH = 100;

/** Notifies owners by mail of keys that expire in seven days, once for each key. */
export class ApiKeyExpiryNotices {
  readonly #deps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: {
    readonly apiKeys: Pick<ApiKeyRepository, 'noticeExpiring'>;
    readonly outbox: Outbox;
    readonly logger: Logger;
  }) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.queue();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Resolves when a running statement has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Queues the notices that are due. */
  async queue(): Promise<void> {
    const { apiKeys, outbox, logger } = this.#deps;
    try {
      while ((await apiKeys.noticeExpiring(BATCH, outbox.delivers)) > 0) outbox.sendQueued();
    } catch (error) {
      logger.warn(
        { err: error },
        'Notices of expiring API keys could not be queued; they are tried again later.',
      );
    }
  }
}
