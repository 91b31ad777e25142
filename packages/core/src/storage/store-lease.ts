import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthError } from '../kernel/auth-error.js';
import { newId } from '../kernel/id.js';
import type { Logger } from '../kernel/logger.js';
import type { Database } from './database.js';
import { LEASE_SECONDS, StoreLeaseRepository } from './store-lease-repository.js';

/** Three renewals may fail before another process can take it. */
const RENEWAL_MILLISECONDS = 2_500;
const RETRY_MILLISECONDS = 500;
/** A lease that nobody renews has run out by then. */
const PATIENCE_MILLISECONDS = (LEASE_SECONDS + 2) * 1000;

/**
 * The right of one process to keep in its memory what replicas would have to share. Renewed until it is given back; a
 * process that crashed is followed by another one once its lease has run out.
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
   * @throws AuthError `conflict` when another process goes on holding it.
   */
  static async take(database: Database, logger: Logger): Promise<StoreLease> {
    const lease = new StoreLease(database, logger);
    await lease.#take();
    lease.#timer = setInterval(() => {
      lease.#renewal = lease.#renew();
    }, RENEWAL_MILLISECONDS).unref();
    return lease;
  }

  /** Ends the lease, so that the next process need not wait. Never rejects. */
  async give(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    await this.#repository
      .give(this.#id)
      .catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'The lease of the in-process store ends by itself.'),
      );
  }

  async #take(): Promise<void> {
    const end = performance.now() + PATIENCE_MILLISECONDS;
    for (let isFirst = true; !(await this.#repository.take(this.#id, this.#heldBy)); isFirst = false) {
      const holder = (await this.#repository.holder()) ?? 'another process';
      if (performance.now() > end) throw refusal(holder);
      if (isFirst) this.#logger.warn({ holder }, WAITING);
      await sleep(RETRY_MILLISECONDS);
    }
  }

  /** A database that is away takes nothing from us: nobody else can take the lease either. */
  async #renew(): Promise<void> {
    try {
      const isHeld = await this.#repository.take(this.#id, this.#heldBy);
      if (!isHeld && !this.#isLost) {
        this.#logger.error({ holder: await this.#repository.holder() }, LOST);
      }
      this.#isLost = !isHeld;
    } catch (error) {
      this.#logger.debug({ err: error }, 'The lease of the in-process store was not renewed; trying again.');
    }
  }
}

const WAITING =
  `Another process keeps its store in memory on this database, or has crashed; waiting ${LEASE_SECONDS} seconds at ` +
  'most for its lease to run out.';
const LOST =
  'This process was silent for so long that another one has taken over the in-process store. Stop one of them, or set ' +
  'REDIS_URL to a Redis that they share.';

const refusal = (holder: string): AuthError =>
  AuthError.conflict(
    `REDIS_URL=memory: is for one process on a database, and ${holder} is there already. ` +
      'Stop that one first, or set REDIS_URL to a Redis that they share.',
  );
