import { AuthError } from '../kernel/auth-error.js';
import type { VerifiedAccessToken } from '../tokens/access-token-claims.js';
import { assertMaySignIn } from '../users/user.js';
import type { SessionRepository, SessionState } from './session-repository.js';

/** Says whether the session behind a checked access token still stands, without counting that as a use of it. */
export class SessionStatus {
  readonly #sessions: SessionRepository;

  constructor(sessions: SessionRepository) {
    this.#sessions = sessions;
  }

  /** Lets pass a token whose session stands. @throws AuthError like `Authenticator.authenticate`, when it does not. */
  async assertActive(token: VerifiedAccessToken): Promise<void> {
    const states = await this.#sessions.check([token.sessionId]);
    assertSessionActive(token, states.get(token.sessionId));
  }
}

/** @throws AuthError for a session or a user that this token does not speak for any more. */
export function assertSessionActive(
  token: VerifiedAccessToken,
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
