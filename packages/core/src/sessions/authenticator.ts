import { AuthError } from '../kernel/auth-error.js';
import { Batcher } from '../kernel/batcher.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { Memberships } from '../memberships/membership.js';
import { CLOCK_LEEWAY, type VerifiedAccessToken } from '../tokens/access-token-claims.js';
import type { AccessTokens } from '../tokens/access-token.js';
import { isSignedInByPerson } from './authentication-methods.js';
import type { LastUsedRecorder } from './last-used-recorder.js';
import type { SessionCache } from './session-cache.js';
import type { SessionRepository, SessionState } from './session-repository.js';
import { assertSessionActive } from './session-status.js';
import type { Principal, SignedInMember, SignedInUser } from './session.js';

interface AuthenticatorDeps {
  readonly accessTokens: AccessTokens;
  readonly sessions: SessionRepository;
  readonly cache: Pick<SessionCache, 'find' | 'remember'>;
  readonly uses: Pick<LastUsedRecorder, 'record'>;
  readonly clock: Clock;
}

/** Authenticates access tokens: first the signature, then the state of session and user. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #states: Batcher<SessionState>;
  readonly #profiles: Batcher<SessionState & { memberships: Memberships }>;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
    const { sessions } = deps;
    this.#states = new Batcher((ids) => sessions.check(ids));
    this.#profiles = new Batcher((ids) => sessions.checkWithMemberships(ids));
  }

  /**
   * Returns the user of an access token, checked against the database in one query shared by the requests of
   * the same tick. A revocation that was acknowledged before this call is always seen.
   * @throws AuthError `unauthorized` for a bad token, an expired session or an outdated token version,
   * `session_revoked`, the sign-in codes for a user who may not sign in, `service_unavailable`.
   */
  async authenticate(accessToken: string): Promise<SignedInUser> {
    const token = await this.#deps.accessTokens.verify(accessToken);
    const state = await this.#states.load(token.sessionId);
    return this.#accept(token, state);
  }

  /**
   * Returns the user of an access token with all their memberships, read in the same query. Throws like
   * `authenticate`.
   */
  async authenticateWithMemberships(accessToken: string): Promise<SignedInMember> {
    const token = await this.#deps.accessTokens.verify(accessToken);
    const state = await this.#profiles.load(token.sessionId);
    const signedIn = this.#accept(token, state);
    return { ...signedIn, memberships: state?.memberships ?? { companies: [], businessUnits: [] } };
  }

  /**
   * Returns the caller of an access token, by a fresh hint of the ephemeral store if there is one, else by
   * the database. A revocation is seen at once while the store is up, and when the hint expires otherwise.
   * Throws like `authenticate`.
   */
  async authenticateByHint(accessToken: string): Promise<Principal> {
    const token = await this.#deps.accessTokens.verify(accessToken);
    const hint = await this.#deps.cache.find(token.sessionId);
    if (hint?.userId === token.userId && hint.tokenVersion === token.tokenVersion) {
      return { ...toPrincipal(token), globalRole: hint.globalRole };
    }
    const { user, ...principal } = await this.authenticate(accessToken);
    const { id: userId, globalRole, tokenVersion } = user;
    await this.#deps.cache.remember(token.sessionId, { userId, globalRole, tokenVersion });
    return principal;
  }

  /**
   * Throws unless the user signed in themselves, by password or passkey, at most this many seconds ago;
   * clocks may differ by 5 seconds. Refreshing a token does not count as signing in, nor does a hand-off: its
   * session is as fresh as its parent. A minted session is never fresh.
   * @throws AuthError `reauthentication_required` (RFC 9470 section 3).
   */
  assertFresh({ authTime, amr }: Pick<Principal, 'authTime' | 'amr'>, maxAgeSeconds: number): void {
    const isRecent = epochSeconds(this.#deps.clock) - authTime <= maxAgeSeconds + CLOCK_LEEWAY;
    if (isRecent && isSignedInByPerson(amr)) return;
    throw new AuthError('reauthentication_required', 'Sign in again to do this.');
  }

  #accept(token: VerifiedAccessToken, state: SessionState | undefined): SignedInUser {
    assertSessionActive(token, state);
    if (state.isUseDue) this.#deps.uses.record(token.sessionId);
    return { ...toPrincipal(token), globalRole: state.user.globalRole, user: state.user };
  }
}

function toPrincipal(token: VerifiedAccessToken): Omit<Principal, 'globalRole'> {
  return {
    userId: token.userId,
    sessionId: token.sessionId,
    tokenVersion: token.tokenVersion,
    authTime: token.authTime,
    amr: token.amr,
    claims: token.claims,
  };
}
