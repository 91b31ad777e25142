import { randomUUID } from 'node:crypto';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { KeySet } from './key-set.js';
import { signToken } from './sign-token.js';
import {
  SERVICE_TOKEN_TYPE,
  verifyServiceToken,
  type ServiceTokenClaims,
  type VerifiedServiceToken,
} from './verify-service-token.js';

/** Issues and verifies RS256 tokens that authenticate services. They contain no session and no role. */
export class ServiceTokens {
  readonly ttl: number;
  readonly #keys: KeySet;
  readonly #options;

  constructor(
    keys: KeySet,
    options: {
      readonly issuer: string;
      /** Lifetime in seconds, at most 600. */
      readonly ttl: number;
      readonly clock: Clock;
    },
  ) {
    this.ttl = options.ttl;
    this.#keys = keys;
    this.#options = options;
  }

  async issue(claims: ServiceTokenClaims): Promise<string> {
    const now = epochSeconds(this.#options.clock);
    const content = {
      scope: claims.scopes.join(' '),
      iss: this.#options.issuer,
      aud: claims.audience,
      sub: claims.clientId,
      iat: now,
      nbf: now,
      exp: now + this.ttl,
      jti: randomUUID(),
    };
    return signToken(SERVICE_TOKEN_TYPE, content, this.#keys);
  }

  /** Returns the claims of a token. @throws AuthError `unauthorized` unless it was issued here for this audience and is valid now. */
  async verify(token: string, audience: string): Promise<VerifiedServiceToken> {
    return verifyServiceToken(
      token,
      this.#keys,
      { issuer: this.#options.issuer, audience },
      this.#options.clock,
    );
  }
}
