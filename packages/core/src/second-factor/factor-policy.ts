import type { FactorKind } from '../factors/factor-kind.js';
import type { FactorState } from '../factors/factor-state-queries.js';
import type { FactorName } from '../kernel/observer.js';
import type { SecondFactorMode } from '../settings/second-factor-mode.js';
import { isStaff } from '../users/authority.js';
import type { User } from '../users/user.js';

/** The second factors that complete a sign-in. */
type SecondFactorMethod = FactorName | 'passkey';

/** Decides who needs a second factor, and with what they can prove one. */
export class FactorPolicy {
  readonly #options;

  constructor(options: {
    readonly mode: SecondFactorMode;
    readonly passkeysEnabled: boolean;
    /** Days for which a device can be trusted; 0: never. */
    readonly trustedDeviceDays: number;
    /** The kinds that are proved by a code, in the order in which they are offered. */
    readonly kinds: readonly Pick<FactorKind, 'name' | 'isBackup'>[];
  }) {
    this.#options = options;
  }

  /** The value of `SECOND_FACTOR` in effect. */
  get mode(): SecondFactorMode {
    return this.#options.mode;
  }

  /** Returns whether the user must have a second factor. */
  isRequiredOf({ globalRole }: Pick<User, 'globalRole'>): boolean {
    const { mode } = this.#options;
    return mode === 'all' || (mode === 'staff' && isStaff(globalRole));
  }

  /**
   * Returns the days for which the user can trust a device; 0 if not at all. Staff who must have a second factor prove it at every
   * sign-in.
   */
  trustedDeviceDaysOf(user: Pick<User, 'globalRole'>): number {
    return isStaff(user.globalRole) && this.isRequiredOf(user) ? 0 : this.#options.trustedDeviceDays;
  }

  /**
   * Returns whether a sign-in by password needs a second factor. A passkey alone is asked for only where a factor is
   * required: its owner has not chosen a second factor for the password.
   */
  needsSecondFactor(user: Pick<User, 'globalRole'>, state: FactorState): boolean {
    return this.#hasCodes(state) || this.isRequiredOf(user);
  }

  /**
   * Returns the methods that a user has and can prove; none if they must set one up first. While second factors are off, no
   * code is accepted, and so no authenticator app counts. Passkeys count then, too: they are proved without it.
   */
  methodsOf(state: FactorState): SecondFactorMethod[] {
    const { mode, passkeysEnabled, kinds } = this.#options;
    const accepted = mode !== 'off' && this.#hasCodes(state) ? kinds : [];
    return [
      ...accepted.filter(({ name }) => state.counts[name] > 0).map(({ name }) => name),
      ...(state.counts.passkey > 0 && passkeysEnabled ? (['passkey'] as const) : []),
    ];
  }

  /** Returns whether the user has a second factor of any kind. */
  hasFactor(state: FactorState): boolean {
    return this.methodsOf(state).length > 0;
  }

  #hasCodes({ counts }: FactorState): boolean {
    return this.#options.kinds.some(({ name, isBackup }) => !isBackup && counts[name] > 0);
  }
}
