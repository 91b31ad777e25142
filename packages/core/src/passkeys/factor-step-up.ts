import type { SignedInUser } from '../sessions/session.js';

/** Requires a second factor of a user who has set one up. */
export interface FactorStepUp {
  /** @throws AuthError `reauthentication_required`. */
  assertFactor(caller: SignedInUser, maxAgeSeconds: number): Promise<void>;
}
