import type { Logger } from '../kernel/logger.js';
import type { ActivityRepository } from './activity-repository.js';

const INTERVAL_MS = 60_000;
/** Entries of one transaction, which takes some 50 ms. */
const BATCH = 2_000;

/** Counts the audit log by day, once a minute. Replicas share the work, and none needs to be alive for the numbers to be right. */
export class ActivityCounter {
  readonly #activityDays: ActivityRepository;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(activityDays: ActivityRepository, logger: Logger) {
    this.#activityDays = activityDays;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#try(() => this.catchUp()));
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Resolves when a running statement has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Counts everything that is not counted yet, in short transactions. @throws AuthError `service_unavailable` */
  async catchUp(): Promise<void> {
    while (!this.#isStopped && (await this.#activityDays.count(BATCH)) >= BATCH);
  }

  /** Counts one batch, which is all but after an upgrade, so that a reader sees what just happened. Never throws. */
  async refresh(): Promise<void> {
    await this.#try(() => this.#activityDays.count(BATCH));
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.warn(
        { err: error },
        'Sign-ins could not be counted by day; they are counted with the next minute.',
      );
    }
  }
}
