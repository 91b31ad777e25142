import type { FactorState } from '../factors/factor-state-queries.js';
import type { SecondFactorMode } from '../settings/second-factor-mode.js';
import { isStaff } from '../users/authority.js';
import type { User } from '../users/user.js';

/** The second factors that complete a sign-in. */
export type SecondFactorMethod = 'totp' | 'recovery_code' | 'passkey';

interface FactorPolicyOptions {
  readonly mode: SecondFactorMode;
  readonly passkeysEnabled: boolean;
}

/** Decides who needs a second factor, and with what they can prove one. */
export class FactorPolicy {
  readonly #options: FactorPolicyOptions;

  constructor(options: FactorPolicyOptions) {
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
   * Returns whether a sign-in by password needs a second factor. A passkey alone is asked for only where a factor is
   * required: its owner has not chosen a second factor for the password.
   */
  needsSecondFactor(user: Pick<User, 'globalRole'>, { totpFactors }: FactorState): boolean {
    return totpFactors > 0 || this.isRequiredOf(user);
  }

  /**
   * Returns the methods that a user has and can prove; none if they must set one up first. While second factors are off, no
   * code is accepted, and so no authenticator app counts. Passkeys count then, too: they are proved without it.
   */
  methodsOf({ totpFactors, unusedRecoveryCodes, passkeys }: FactorState): SecondFactorMethod[] {
    const { mode, passkeysEnabled } = this.#options;
    const hasApp = totpFactors > 0 && mode !== 'off';
    return [
      ...(hasApp ? (['totp'] as const) : []),
      ...(hasApp && unusedRecoveryCodes > 0 ? (['recovery_code'] as const) : []),
      ...(passkeys > 0 && passkeysEnabled ? (['passkey'] as const) : []),
    ];
  }

  /** Returns whether the user has a second factor of any kind. */
  hasFactor(state: FactorState): boolean {
    return this.methodsOf(state).length > 0;
  }
}
