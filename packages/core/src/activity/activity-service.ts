import { checkInput } from '../kernel/check-input.js';
import type { ActivityCounter } from './activity-counter.js';
import type { ActivityRepository } from './activity-repository.js';
import { activityQuery, type ActivityQuery, type ActivityView } from './activity-schema.js';
import { unusualFailures, USUAL_DAYS } from './unusual-failures.js';

const MOST_ADDRESSES = 8;

/** Reads how many users sign in, fail to and register. */
export class ActivityService {
  readonly #activityDays: ActivityRepository;
  readonly #counter: ActivityCounter;

  constructor(activityDays: ActivityRepository, counter: ActivityCounter) {
    this.#activityDays = activityDays;
    this.#counter = counter;
  }

  /**
   * Returns the numbers of the last days, and the addresses with failed sign-ins in the last 24 hours.
   * @throws AuthError `validation_error`, `service_unavailable`.
   */
  async read(query: ActivityQuery = {}): Promise<ActivityView> {
    const { days: wanted } = checkInput(activityQuery.strict(), query, 'query');
    await this.#counter.refresh();
    const [{ days, countedAt }, addresses] = await Promise.all([
      this.#activityDays.read(Math.max(wanted, USUAL_DAYS + 1)),
      this.#activityDays.failingAddresses(MOST_ADDRESSES),
    ]);
    return {
      days: days.slice(-wanted),
      countedAt: countedAt?.toISOString() ?? null,
      failingAddresses: addresses.map((each) => ({ ...each, lastAt: each.lastAt.toISOString() })),
      unusualFailures: unusualFailures(days),
    };
  }
}
