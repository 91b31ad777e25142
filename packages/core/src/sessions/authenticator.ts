import { AuthError } from '../kernel/auth-error.js';
import { Batcher } from '../kernel/batcher.js';
import type { Clock } from '../kernel/clock.js';
import type { DecidingRules, Memberships } from '../memberships/membership.js';
import type { VerifiedAccessToken } from '../tokens/access-token-claims.js';
import type { AccessTokens } from '../tokens/access-token.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { LastUsedRecorder } from './last-used-recorder.js';
import type { SessionCache } from './session-cache.js';
import type {
  SessionState,
  SessionStateQueries,
  StateWithMemberships,
  StateWithRules,
} from './session-state-queries.js';
import { assertSessionActive } from './session-status.js';
import type { SessionPrincipal, SignedInMember, SignedInUser } from './session.js';
import { assertFreshSignIn, missingFactor, type SignInFacts } from './sign-in-freshness.js';
import { hasStaffLevel } from './staff-level.js';

/** Numbers of factors that can be required, and the level of the sign-in that has them. */
const LEVEL_OF_FACTORS: Readonly<Record<1 | 2, AuthenticationLevel>> = { 1: 'aal1', 2: 'aal2' };

/**
 * Throws unless the sign-in has so many factors, by its level.
 * @throws AuthError `reauthentication_required` with the required level (RFC 9470 section 3).
 */
function assertFactors({ acr }: Pick<SessionPrincipal, 'acr'>, factors: 1 | 2): void {
  if (factors === 1 || acr === LEVEL_OF_FACTORS[factors]) return;
  throw missingFactor({ acrValues: LEVEL_OF_FACTORS[factors] });
}

/** A signed-in member with the module rules of the memberships, read in that same query too. */
interface MemberWithRules extends SignedInMember {
  moduleRules: DecidingRules;
}

interface AuthenticatorDeps {
  readonly accessTokens: AccessTokens;
  readonly sessionStates: SessionStateQueries;
  readonly cache: Pick<SessionCache, 'find' | 'remember'>;
  readonly uses: Pick<LastUsedRecorder, 'record'>;
  readonly clock: Clock;
  /** True if platform staff must sign in with a second factor. */
  readonly staffNeedsSecondFactor: boolean;
}

/** Authenticates access tokens: first the signature, then the state of session and user. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #states: Batcher<SessionState>;
  readonly #profiles: Batcher<StateWithMemberships>;
  readonly #withRules: Batcher<StateWithRules>;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
    const { sessionStates: states } = deps;
    this.#states = new Batcher((ids) => states.check(ids));
    this.#profiles = new Batcher((ids) => states.checkWithMemberships(ids));
    this.#withRules = new Batcher((ids) => states.checkWithRules(ids));
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
    return Object.assign(this.#accept(token, state), { memberships: state?.memberships ?? NONE });
  }

  /**
   * Returns the user of an access token with all that their access in a company depends on beside its entitlements, read in the
   * same query. Throws like `authenticate`.
   */
  async authenticateForAccess(accessToken: string): Promise<MemberWithRules> {
    const token = await this.#deps.accessTokens.verify(accessToken);
    const state = await this.#withRules.load(token.sessionId);
    const { memberships = NONE, moduleRules = NO_RULES } = state ?? {};
    return Object.assign(this.#accept(token, state), { memberships, moduleRules });
  }

  /**
   * Returns the caller of an access token, by a fresh hint of the ephemeral store if there is one, else by
   * the database. A revocation is seen at once while the store is up, and when the hint expires otherwise.
   * Throws like `authenticate`.
   */
  async authenticateByHint(accessToken: string): Promise<SessionPrincipal> {
    const token = await this.#deps.accessTokens.verify(accessToken);
    // Hints do not say who acts for the user.
    if (token.act) return withoutUser(await this.authenticate(accessToken));
    const hint = await this.#deps.cache.find(token.sessionId);
    if (hint?.userId === token.userId && hint.tokenVersion === token.tokenVersion) {
      return toPrincipal(token, hint.globalRole);
    }
    const { user, ...principal } = await this.authenticate(accessToken);
    const { id: userId, globalRole, tokenVersion } = user;
    await this.#deps.cache.remember(token.sessionId, { userId, globalRole, tokenVersion });
    return principal;
  }

  /**
   * Throws unless the user signed in or stepped up themselves at most this many seconds ago; clocks may differ by 5
   * seconds. Refreshing a token does not count, nor does a hand-off: its session is as fresh as its parent. A
   * minted session is not fresh before a step-up.
   * @throws AuthError `reauthentication_required` with the maximum age (RFC 9470 section 3).
   */
  assertFresh(signIn: SignInFacts, maxAgeSeconds: number): void {
    assertFreshSignIn(signIn, maxAgeSeconds, this.#deps.clock);
  }

  /**
   * Throws unless the sign-in has so many factors: by its level, never by the number of its methods.
   * @throws AuthError `reauthentication_required` with the required level (RFC 9470 section 3).
   */
  assertFactors(signIn: Pick<SessionPrincipal, 'acr'>, factors: 1 | 2): void {
    assertFactors(signIn, factors);
  }

  /**
   * Throws if the rights of a platform role require a second factor and the session has none. Users without a platform
   * role pass.
   * @throws AuthError `second_factor_required`.
   */
  assertStaffLevel({ globalRole, acr }: Pick<SessionPrincipal, 'globalRole' | 'acr'>): void {
    if (hasStaffLevel({ globalRole, acr }, this.#deps)) return;
    throw new AuthError('second_factor_required', 'Sign in with a second factor to use your platform role.');
  }

  #accept(token: VerifiedAccessToken, state: SessionState | undefined): SignedInUser {
    assertSessionActive(token, state);
    if (state.isUseDue) this.#deps.uses.record(token.sessionId);
    const { user, act } = state;
    return Object.assign(toPrincipal(token, user.globalRole), act ? { user, act } : { user });
  }
}

// A token without a session is refused, so neither reaches a caller.
const NONE: Memberships = { companies: [], businessUnits: [] };
const NO_RULES: DecidingRules = new Map();

function withoutUser({ user: _user, ...principal }: SignedInUser): SessionPrincipal {
  return principal;
}

/**
 * Returns a new object, to which more may be added. Added with `Object.assign`: a spread followed by a new property takes V8
 * 11 (Node.js 20) eight times as long, and leaves a hidden class behind each time.
 */
function toPrincipal(
  token: VerifiedAccessToken,
  globalRole: SessionPrincipal['globalRole'],
): SessionPrincipal {
  return {
    kind: 'session',
    userId: token.userId,
    sessionId: token.sessionId,
    tokenVersion: token.tokenVersion,
    authTime: token.authTime,
    amr: token.amr,
    acr: token.acr,
    claims: token.claims,
    globalRole,
  };
}
