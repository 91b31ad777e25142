import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { KeySet } from './key-set.js';
import { SERVICE_TOKEN_TYPE, verifyServiceToken, type ServiceTokenClaims } from './verify-service-token.js';

interface ServiceTokenOptions {
  readonly issuer: string;
  /** Lifetime in seconds, at most 600. */
  readonly ttl: number;
  readonly clock: Clock;
}

/** Issues and verifies RS256 tokens that authenticate services. They contain no session and no role. */
export class ServiceTokens {
  readonly ttl: number;
  readonly #keys: KeySet;
  readonly #options: ServiceTokenOptions;

  constructor(keys: KeySet, options: ServiceTokenOptions) {
    this.ttl = options.ttl;
    this.#keys = keys;
    this.#options = options;
  }

  async issue(claims: ServiceTokenClaims): Promise<string> {
    const now = epochSeconds(this.#options.clock);
    return new SignJWT({ scope: claims.scopes.join(' ') })
      .setProtectedHeader({ alg: 'RS256', typ: SERVICE_TOKEN_TYPE, kid: this.#keys.signingKeyId })
      .setIssuer(this.#options.issuer)
      .setAudience(claims.audience)
      .setSubject(claims.clientId)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + this.ttl)
      .setJti(randomUUID())
      .sign(this.#keys.signingKey);
  }

  /** Returns the claims of a token. @throws AuthError `unauthorized` unless it was issued here for this audience and is valid now. */
  async verify(token: string, audience: string): Promise<ServiceTokenClaims> {
    return verifyServiceToken(
      token,
      this.#keys,
      { issuer: this.#options.issuer, audience },
      this.#options.clock,
    );
  }
}
