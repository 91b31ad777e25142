import type { AccessTokenClaims } from '../tokens/access-token-claims.js';
import type { AccessTokens } from '../tokens/access-token.js';
import { NO_EXTRA_CLAIMS, type ExtraClaims } from '../tokens/extra-claims.js';
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-token.js';
import { claimsFor, type ClaimsFunction, type ClaimsSubject } from './claims-function.js';
import type { TokenPair } from './session-schema.js';
import { hasStaffLevel } from './staff-level.js';

/** The subject of a token, with their token version and the end of a session that is limited. */
type TokenBearer = ClaimsSubject & Pick<AccessTokenClaims, 'tokenVersion' | 'notAfter'>;
/** A subject with the additional claims of the host app. */
export type PreparedToken = TokenBearer & { claims: ExtraClaims };

/** Creates the pair of access and refresh token that clients get. */
export class TokenIssuer {
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokens;
  readonly #rules;

  constructor(
    accessTokens: AccessTokens,
    refreshTokens: RefreshTokens,
    rules: {
      /** Additional claims of a host app. */
      readonly claims?: ClaimsFunction | undefined;
      /** True if platform staff must sign in with a second factor. */
      readonly staffNeedsSecondFactor: boolean;
    },
  ) {
    this.#accessTokens = accessTokens;
    this.#refreshTokens = refreshTokens;
    this.#rules = rules;
  }

  /** True if a host app adds claims, so that issuing a token may fail. */
  get addsClaims(): boolean {
    return this.#rules.claims !== undefined;
  }

  /**
   * Returns the content of an access token. It has the platform role only while the session may use it, so that services that
   * verify tokens by themselves need not know the policy of second factors. Call it before anything is written or committed:
   * nothing of a sign-in may remain when the function of the host app fails.
   * @throws AuthError `internal_error` when it does.
   */
  prepare(bearer: TokenBearer): PreparedToken {
    // Not a spread of the bearer: it would leave a hidden class for each token.
    const token = Object.assign({ claims: NO_EXTRA_CLAIMS }, bearer);
    if (!hasStaffLevel(bearer, this.#rules)) token.globalRole = 'NONE';
    token.claims = claimsFor(this.#rules.claims, token);
    return token;
  }

  async issue(token: PreparedToken, refreshToken: RefreshToken): Promise<TokenPair> {
    const { accessToken, expiresIn } = await this.issueAccessToken(token);
    return {
      accessToken,
      expiresIn,
      refreshToken: this.#refreshTokens.encode(refreshToken),
      tokenType: 'Bearer',
    };
  }

  /** Issues another access token for a session whose refresh token stays the same. */
  async issueAccessToken(token: PreparedToken): Promise<Pick<TokenPair, 'accessToken' | 'expiresIn'>> {
    const expiresIn = this.#accessTokens.lifetimeOf(token);
    return { accessToken: await this.#accessTokens.issue(token, expiresIn), expiresIn };
  }
}
