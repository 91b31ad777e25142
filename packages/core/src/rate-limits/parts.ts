import type { Clock } from '../kernel/clock.js';
import type { Observer } from '../kernel/observer.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { Settings } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { AccountThrottle } from './account-throttle.js';
import { AddressRateLimiter } from './address-rate-limiter.js';
import { HashingCapacity } from './hashing-capacity.js';
import { RefusalSampler } from './refusal-sampler.js';

/** Maximum anonymous requests of one address per minute that write a row. */
const ANONYMOUS_WRITES_PER_MINUTE = 60;

export interface Given {
  readonly settings: Settings;
  readonly store: EphemeralStore;
  readonly clock: Clock;
  readonly observer: Observer;
}

/** The limits of attempts, and the sampler of audit rows for refusals. */
export const rateLimitParts = {
  throttle: ({ settings: { rateLimits }, store, clock, observer }: Given) =>
    new AccountThrottle({ store, clock, observer, failMode: rateLimits.failMode }),
  refusals: ({ store, clock }: Given) => new RefusalSampler({ store, clock }),
  signIns: ({ settings: { rateLimits }, store, observer }: Given) =>
    new AddressRateLimiter({
      store,
      observer,
      failMode: rateLimits.failMode,
      counts: 'sign-in',
      limit: rateLimits.loginPerMinute,
    }),
  anonymousWrites: ({ settings: { rateLimits }, store, observer }: Given) =>
    new AddressRateLimiter({
      store,
      observer,
      failMode: rateLimits.failMode,
      counts: 'anonymous-write',
      limit: ANONYMOUS_WRITES_PER_MINUTE,
    }),
  hashingCapacity: ({ passwords }: { readonly passwords: PasswordHasher }) => new HashingCapacity(passwords),
};
