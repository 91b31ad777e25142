import type { AccessTokens } from '../tokens/access-token.js';
import type { ExtraClaims } from '../tokens/extra-claims.js';
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-token.js';
import { claimsFor, type ClaimsFunction, type ClaimsSubject } from './claims-function.js';
import type { TokenPair } from './session-schema.js';

/** Whom a token is for. */
export type TokenBearer = ClaimsSubject & { tokenVersion: number };
/** With the claims of the host app. */
export type PreparedToken = TokenBearer & { claims: ExtraClaims };

/** Puts an access and a refresh token together into what clients get. */
export class TokenIssuer {
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokens;
  readonly #claims: ClaimsFunction | undefined;

  /** @param claims what a host app adds to each access token. */
  constructor(accessTokens: AccessTokens, refreshTokens: RefreshTokens, claims?: ClaimsFunction) {
    this.#accessTokens = accessTokens;
    this.#refreshTokens = refreshTokens;
    this.#claims = claims;
  }

  /** Whether a host app has a say in tokens, so that issuing one may fail. */
  get addsClaims(): boolean {
    return this.#claims !== undefined;
  }

  /**
   * What goes into an access token. To be asked before anything is written or committed: nothing of a sign-in may stay
   * when the function of a host app fails.
   * @throws AuthError `internal_error` when it does.
   */
  prepare(bearer: TokenBearer): PreparedToken {
    return { ...bearer, claims: claimsFor(this.#claims, bearer) };
  }

  async issue(token: PreparedToken, refreshToken: RefreshToken): Promise<TokenPair> {
    return {
      accessToken: await this.#accessTokens.issue(token),
      refreshToken: this.#refreshTokens.encode(refreshToken),
      expiresIn: this.#accessTokens.ttl,
      tokenType: 'Bearer',
    };
  }
}
