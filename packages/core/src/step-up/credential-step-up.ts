import type { TotpRepository } from '../factors/totp-repository.js';
import type { SignedInUser } from '../sessions/session.js';
import { missingFactor } from '../sessions/sign-in-freshness.js';
import type { StepUpRepository } from '../sessions/step-up-repository.js';

interface CredentialStepUpDeps {
  readonly totp: TotpRepository;
  readonly stepUps: StepUpRepository;
  /** False while second factors are off: those that are set up are not asked for. */
  readonly factorsOn: boolean;
}

/** Requires a second factor for changes of how a user signs in, if the user has set one up. */
export class CredentialStepUp {
  readonly #deps: CredentialStepUpDeps;

  constructor(deps: CredentialStepUpDeps) {
    this.#deps = deps;
  }

  /**
   * Throws unless the caller proved a second factor at most this many seconds ago, or has none. The level of a session
   * alone is not enough: with it, a stolen session and a password would remove the factor.
   * @throws AuthError `reauthentication_required` with the level and the age (RFC 9470 section 3).
   */
  async assertFactor({ userId, sessionId, acr }: SignedInUser, maxAgeSeconds: number): Promise<void> {
    if (!this.#deps.factorsOn || (await this.#deps.totp.list(userId)).length === 0) return;
    // Of the token too: an older one of the session does not profit from a later step-up.
    if (acr === 'aal2' && (await this.#deps.stepUps.hasRecentFactor(sessionId, maxAgeSeconds))) return;
    throw missingFactor({ acrValues: 'aal2', maxAgeSeconds });
  }
}
