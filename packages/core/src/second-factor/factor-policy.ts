import type { FactorState } from '../factors/factor-state-queries.js';
import { isStaff } from '../users/authority.js';
import type { User } from '../users/user.js';

/** The second factors that complete a sign-in. */
export type SecondFactorMethod = 'totp' | 'recovery_code' | 'passkey';

interface FactorPolicyOptions {
  readonly mode: 'optional' | 'staff' | 'all';
  readonly passkeysEnabled: boolean;
}

/** Decides who needs a second factor, and with what they can prove one. */
export class FactorPolicy {
  readonly #options: FactorPolicyOptions;

  constructor(options: FactorPolicyOptions) {
    this.#options = options;
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

  /** Returns the methods that a user has; none if they must set one up first. */
  methodsOf({ totpFactors, unusedRecoveryCodes, passkeys }: FactorState): SecondFactorMethod[] {
    return [
      ...(totpFactors > 0 ? (['totp'] as const) : []),
      ...(totpFactors > 0 && unusedRecoveryCodes > 0 ? (['recovery_code'] as const) : []),
      ...(passkeys > 0 && this.#options.passkeysEnabled ? (['passkey'] as const) : []),
    ];
  }
}
