import { assertNotActing } from '../kernel/acting-party.js';
import type { Clock } from '../kernel/clock.js';
import { assertFreshSignIn, staleSignIn } from '../sessions/sign-in-freshness.js';
import type { Administrator } from './administrator.js';

/** Requires a recent sign-in of staff for what is hard to undo: changes of roles, and what ends the sessions of others. */
export class StaffStepUp {
  readonly #maxAgeSeconds: number | undefined;
  readonly #clock: Clock;

  /** @param maxAgeSeconds maximum age of the sign-in; undefined for no limit. */
  constructor(maxAgeSeconds: number | undefined, clock: Clock) {
    this.#maxAgeSeconds = maxAgeSeconds;
    this.#clock = clock;
  }

  /**
   * Throws unless the administrator signed in or stepped up recently, and while an actor acts for them, who can do neither.
   * Machines and operators are not concerned.
   * @throws AuthError `reauthentication_required`, also for an administrator whose sign-in is unknown; `forbidden`.
   */
  assertRecent(administrator: Administrator): void {
    if (administrator.kind !== 'user') return;
    assertNotActing(administrator);
    if (this.#maxAgeSeconds === undefined) return;
    if (!administrator.signIn) throw staleSignIn(this.#maxAgeSeconds);
    assertFreshSignIn(administrator.signIn, this.#maxAgeSeconds, this.#clock);
  }
}
