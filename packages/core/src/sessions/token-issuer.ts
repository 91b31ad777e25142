import type { AccessTokenClaims } from '../tokens/access-token-claims.js';
import type { AccessTokens } from '../tokens/access-token.js';
import type { ExtraClaims } from '../tokens/extra-claims.js';
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-token.js';
import { claimsFor, type ClaimsFunction, type ClaimsSubject } from './claims-function.js';
import type { TokenPair } from './session-schema.js';

/** The subject of a token, with their token version and the end of a session that is limited. */
export type TokenBearer = ClaimsSubject & Pick<AccessTokenClaims, 'tokenVersion' | 'notAfter'>;
/** A subject with the additional claims of the host app. */
export type PreparedToken = TokenBearer & { claims: ExtraClaims };

/** Creates the pair of access and refresh token that clients get. */
export class TokenIssuer {
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokens;
  readonly #claims: ClaimsFunction | undefined;

  /** @param claims additional claims of a host app. */
  constructor(accessTokens: AccessTokens, refreshTokens: RefreshTokens, claims?: ClaimsFunction) {
    this.#accessTokens = accessTokens;
    this.#refreshTokens = refreshTokens;
    this.#claims = claims;
  }

  /** True if a host app adds claims, so that issuing a token may fail. */
  get addsClaims(): boolean {
    return this.#claims !== undefined;
  }

  /**
   * Returns the content of an access token. Call it before anything is written or committed: nothing of a
   * sign-in may remain when the function of the host app fails.
   * @throws AuthError `internal_error` when it does.
   */
  prepare(bearer: TokenBearer): PreparedToken {
    // Not a spread of the bearer: it would leave a hidden class for each token.
    return Object.assign({ claims: claimsFor(this.#claims, bearer) }, bearer);
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
