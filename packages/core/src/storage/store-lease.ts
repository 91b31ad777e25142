import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthError } from '../kernel/auth-error.js';
import { newId } from '../kernel/id.js';
import type { Logger } from '../kernel/logger.js';
import type { Database } from './database.js';
import { LEASE_SECONDS, StoreLeaseRepository } from './store-lease-repository.js';

/** Three renewals may fail before another process can take it. */
const RENEWAL_MS = 2_500;
const RETRY_MS = 500;
/** Longer than an abandoned lease is valid. */
const LEASE_WAIT_MS = (LEASE_SECONDS + 2) * 1000;

/**
 * The right of one process to keep shared state in its memory instead of in Redis. Renewed until it is
 * released; if the process crashes, another one can take the lease once it has expired.
 */
export class StoreLease {
  readonly #repository: StoreLeaseRepository;
  readonly #logger: Logger;
  readonly #id = newId();
  readonly #heldBy = `process ${process.pid} on ${os.hostname()}`;
  #timer: NodeJS.Timeout | undefined;
  #renewal: Promise<void> = Promise.resolve();
  #isLost = false;

  private constructor(database: Database, logger: Logger) {
    this.#repository = new StoreLeaseRepository(database);
    this.#logger = logger;
  }

  /**
   * Waits for a process that crashed, for 12 seconds at most.
   * @throws AuthError `conflict` if another process still holds it.
   */
  static async take(database: Database, logger: Logger): Promise<StoreLease> {
    const lease = new StoreLease(database, logger);
    await lease.#take();
    lease.#timer = setInterval(() => {
      // One after the other: a renewal that is slower than the interval must not take the lease again after it was given.
      lease.#renewal = lease.#renewal.then(() => lease.#renew());
    }, RENEWAL_MS).unref();
    return lease;
  }

  /** Releases the lease, so that the next process need not wait. Never rejects. */
  async give(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    await this.#repository
      .give(this.#id)
      .catch((error: unknown) =>
        this.#logger.warn(
          { err: error },
          'The lease of the in-process store could not be released; it expires by itself.',
        ),
      );
  }

  async #take(): Promise<void> {
    const end = performance.now() + LEASE_WAIT_MS;
    for (let isFirst = true; !(await this.#repository.take(this.#id, this.#heldBy)); isFirst = false) {
      const holder = (await this.#repository.holder()) ?? 'another process';
      if (performance.now() > end) throw refusal(holder);
      if (isFirst) this.#logger.warn({ holder }, WAITING);
      await sleep(RETRY_MS);
    }
  }

  /** Renews the lease. While the database is unavailable no other process can take it either. */
  async #renew(): Promise<void> {
    try {
      const isHeld = await this.#repository.take(this.#id, this.#heldBy);
      if (!isHeld && !this.#isLost) {
        this.#logger.error({ holder: await this.#repository.holder() }, LOST);
      }
      this.#isLost = !isHeld;
    } catch (error) {
      this.#logger.debug({ err: error }, 'The lease of the in-process store was not renewed; retrying.');
    }
  }
}

const WAITING =
  `Another process keeps its store in memory on this database, or has crashed; waiting ${LEASE_SECONDS} seconds at ` +
  'most for its lease to expire.';
const LOST =
  'This process did not renew its lease in time, and another one has taken over the in-process store. Stop one of them, or set ' +
  'REDIS_URL to a Redis that they share.';

const refusal = (holder: string): AuthError =>
  AuthError.conflict(
    `REDIS_URL=memory: serves one process per database, and ${holder} already uses this one. ` +
      'Stop that process first, or set REDIS_URL to a Redis that they share.',
  );
