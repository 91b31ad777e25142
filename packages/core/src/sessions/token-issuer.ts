import type { AccessTokenClaims } from '../tokens/access-token-claims.js';
import type { AccessTokens } from '../tokens/access-token.js';
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-token.js';
import type { TokenPair } from './session-schema.js';

/** Puts an access and a refresh token together into what clients get. */
export class TokenIssuer {
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokens;

  constructor(accessTokens: AccessTokens, refreshTokens: RefreshTokens) {
    this.#accessTokens = accessTokens;
    this.#refreshTokens = refreshTokens;
  }

  async issue(claims: AccessTokenClaims, refreshToken: RefreshToken): Promise<TokenPair> {
    return {
      accessToken: await this.#accessTokens.issue(claims),
      refreshToken: this.#refreshTokens.encode(refreshToken),
      expiresIn: this.#accessTokens.ttl,
      tokenType: 'Bearer',
    };
  }
}
