import type { Logger } from '../kernel/logger.js';
import type { SignInDeviceRepository } from './sign-in-device-repository.js';
import type { SignInDevices } from './sign-in-devices.js';

const INTERVAL_MS = 15 * 60_000;
/** Users in one statement. */
const BATCH = 100;

/** Queues the notices that the daily limit held back when the day is over, also if the user does not sign in again. */
export class HeldBackNotices {
  readonly #repository: SignInDeviceRepository;
  readonly #devices: SignInDevices;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(repository: SignInDeviceRepository, devices: SignInDevices, logger: Logger) {
    this.#repository = repository;
    this.#devices = devices;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#queue();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Resolves when a running statement has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #queue(): Promise<void> {
    try {
      while ((await this.#repository.noticeHeldBack(BATCH)) > 0) this.#devices.sendQueued();
    } catch (error) {
      this.#logger.warn(
        { err: error },
        'Notices of new devices could not be queued; they are tried again later.',
      );
    }
  }
}
