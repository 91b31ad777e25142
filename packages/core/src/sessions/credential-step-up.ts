import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import type { Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn, type User } from '../users/user.js';
import type { SessionRepository } from './session-repository.js';
import { CREDENTIAL_MAX_AGE } from './session-schema.js';
import type { SessionStateQueries } from './session-state-queries.js';
import type { SignedInUser } from './session.js';
import { assertFreshSignIn, isFreshSignIn, missingFactor } from './sign-in-freshness.js';

/**
 * The proof that a change requires of users without a second factor: a recent sign-in, or nothing, because the request proves the password
 * itself, or because such users have nothing to remove.
 */
type WithoutFactor = 'sign-in' | 'nothing';

/** The sign-in of a caller, and who acts for them. */
type SignInToJudge = Pick<SignedInUser, 'userId' | 'sessionId' | 'authTime' | 'amr' | 'acr' | 'act'>;

interface CredentialStepUpDeps {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly sessionStates: SessionStateQueries;
  /** Returns whether the user can prove a second factor of any kind. */
  readonly hasFactor: (userId: string, trx?: Transaction) => Promise<boolean>;
  readonly clock: Clock;
}

/**
 * Guards every change of how users sign in: password, address, passkeys, authenticator apps, recovery codes. Users with a
 * second factor must have proved one lately: the password alone, with which it could be replaced, is never enough.
 */
export class CredentialStepUp {
  readonly #deps: CredentialStepUpDeps;

  constructor(deps: CredentialStepUpDeps) {
    this.#deps = deps;
  }

  /**
   * Throws unless the caller may begin a change. Call it before the work, and `lock` in the transaction of the change.
   * @throws AuthError `reauthentication_required` with level and age (RFC 9470 section 3), `forbidden` while an actor acts
   * for the user.
   */
  async assert(caller: SignInToJudge, withoutFactor: WithoutFactor, trx?: Transaction): Promise<void> {
    assertNotActing(caller);
    if (await this.#deps.hasFactor(caller.userId, trx)) await this.#assertRecentFactor(caller, trx);
    else if (withoutFactor === 'sign-in') assertFreshSignIn(caller, CREDENTIAL_MAX_AGE, this.#deps.clock);
  }

  /**
   * Locks the rows of the caller and of their session, the user first, and decides again: a factor may have been added, or the
   * session ended, since the work began.
   * @throws AuthError as `assert`; `session_revoked`.
   */
  async lock(caller: SignedInUser, withoutFactor: WithoutFactor, trx: Transaction): Promise<User> {
    const { userId, sessionId, tokenVersion } = caller;
    const user = (await this.#deps.users.lock([userId], trx)).get(userId);
    const isUnchanged = user && maySignIn(user) && user.tokenVersion === tokenVersion;
    if (!isUnchanged || !(await this.#deps.sessions.holdLive(sessionId, userId, trx))) {
      throw new AuthError('session_revoked', 'This session was ended. Sign in again.');
    }
    await this.assert(caller, withoutFactor, trx);
    return user;
  }

  /**
   * The level of a session alone is not enough: with it, a stolen session and a password would remove the factor. An older token
   * of the session does not profit from a later step-up.
   */
  async #assertRecentFactor(caller: SignInToJudge, trx: Transaction | undefined): Promise<void> {
    const { sessionId, acr } = caller;
    const isFresh = acr === 'aal2' && isFreshSignIn(caller, CREDENTIAL_MAX_AGE, this.#deps.clock);
    if (isFresh && (await this.#deps.sessionStates.hasRecentFactor(sessionId, CREDENTIAL_MAX_AGE, trx)))
      return;
    throw missingFactor({ acrValues: 'aal2', maxAgeSeconds: CREDENTIAL_MAX_AGE });
  }
}
