import type { Clock } from '@latchkey/core/internal/kernel/clock';
import { parseDuration } from '@latchkey/core/settings';
import type { ClockRepository } from './clock-repository.js';

/**
 * The clock of one kit: of its database, and of the decisions of the kit's `Auth` in this process.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * await kit.clock.advance('16m');
 * await kit.auth.authenticator.authenticate(accessToken); // →! /expired/
 * ```
 */
export class TestClock {
  readonly #database: ClockRepository;
  #shift = 0;
  #moving: Promise<void> = Promise.resolve();

  constructor(database: ClockRepository) {
    this.#database = database;
  }

  /** Returns the time as the kit sees it. */
  now(): Date {
    return new Date(Date.now() + this.#shift);
  }

  /**
   * Moves the time forward, by text such as `90s`, `15m`, `12h` or `30d`, or by seconds.
   * @throws TypeError for an invalid duration, RangeError for a negative one.
   */
  async advance(duration: string | number): Promise<void> {
    const milliseconds = millisecondsOf(duration);
    const step = this.#moving.then(async () => {
      // The database first: a token is never issued for a time that the database has not reached.
      await this.#database.moveTo(this.#shift + milliseconds);
      this.#shift += milliseconds;
    });
    this.#moving = step.catch(() => undefined);
    await step;
  }

  /** Returns the clock for the services of the kit. */
  asClock(): Clock {
    return {
      now: () => Date.now() + this.#shift,
      elapsed: () => performance.now() + this.#shift,
    };
  }
}

function millisecondsOf(duration: string | number): number {
  const seconds = typeof duration === 'number' ? duration : secondsOf(duration);
  if (!Number.isFinite(seconds)) throw new TypeError(notUnderstood(duration));
  if (seconds < 0) {
    throw new RangeError(
      'clock.advance: the clock only goes forward. Rows of a later time would be in the future, ' +
        'which no real service ever meets; create another kit instead.',
    );
  }
  return seconds * 1000;
}

/** Returns the seconds, negative for a negative duration, which has an error of its own. */
function secondsOf(text: string): number {
  const isBack = text.trim().startsWith('-');
  const seconds = parseDuration(isBack ? text.trim().slice(1) : text) ?? Number.NaN;
  return isBack ? -seconds : seconds;
}

const notUnderstood = (duration: string | number): string =>
  `clock.advance: ${JSON.stringify(duration)} is not a duration; write 90s, 15m, 12h, 30d, or a number of seconds`;
