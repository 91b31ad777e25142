import type { Clock } from '../kernel/clock.js';
import type { Observer } from '../kernel/observer.js';
import { AccountThrottle } from '../rate-limits/account-throttle.js';
import { AddressRateLimiter, ANONYMOUS_WRITES_PER_MINUTE } from '../rate-limits/address-rate-limiter.js';
import { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { Settings } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';

interface RateLimitsDeps {
  readonly store: EphemeralStore;
  readonly clock: Clock;
  readonly observer: Observer;
}

/** Builds the limits of attempts, and the sampler of audit rows for refusals. */
export function buildRateLimits(
  { loginPerMinute, failMode }: Settings['rateLimits'],
  { store, clock, observer }: RateLimitsDeps,
) {
  const shared = { store, failMode, observer };
  const throttle = new AccountThrottle({ ...shared, clock });
  const refusals = new RefusalSampler({ store, clock });
  return {
    throttle,
    refusals,
    signIns: new AddressRateLimiter({ ...shared, counts: 'sign-in', limit: loginPerMinute }),
    anonymousWrites: new AddressRateLimiter({
      ...shared,
      counts: 'anonymous-write',
      limit: ANONYMOUS_WRITES_PER_MINUTE,
    }),
    close: async () => {
      await Promise.all([throttle.close(), refusals.close()]);
    },
  };
}
