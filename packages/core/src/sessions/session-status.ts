import { AuthError } from '../kernel/auth-error.js';
import type { VerifiedAccessToken } from '../tokens/access-token-claims.js';
import { assertMaySignIn } from '../users/user.js';
import type { SessionState, SessionStateQueries } from './session-state-queries.js';

/**
 * Checks whether the session of a verified access token is still active, without counting that as a use of
 * it.
 */
export class SessionStatus {
  readonly #sessions: SessionStateQueries;

  constructor(sessions: SessionStateQueries) {
    this.#sessions = sessions;
  }

  /**
   * Throws like `Authenticator.authenticate` if the session is not active.
   * @throws AuthError like `Authenticator.authenticate`, when it does not.
   */
  async assertActive(token: VerifiedAccessToken): Promise<void> {
    const states = await this.#sessions.check([token.sessionId]);
    assertSessionActive(token, states.get(token.sessionId));
  }
}

/**
 * Throws unless session and user of the token are active.
 * @throws AuthError for a session or a user for which the token is no longer valid.
 */
export function assertSessionActive(
  token: Pick<VerifiedAccessToken, 'userId' | 'tokenVersion'>,
  state: SessionState | undefined,
): asserts state is SessionState {
  if (state?.user.id !== token.userId) throw AuthError.unauthorized();
  if (state.isRevoked) throw new AuthError('session_revoked', 'This session was ended. Sign in again.');
  if (state.isExpired) throw expired();
  assertMaySignIn(state.user);
  if (state.user.tokenVersion !== token.tokenVersion) {
    throw AuthError.unauthorized('The access token is outdated. Refresh it.', 'access_token_outdated');
  }
}

const expired = (): AuthError =>
  AuthError.unauthorized('The session has expired. Sign in again.', 'session_expired');
