import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { AuthError } from '../kernel/auth-error.js';
import type { KeySet } from './key-set.js';

/** Media type that keeps a service token from passing for an access token, and the other way round. */
const SERVICE_TOKEN_TYPE = 'service+jwt';
/** Seconds by which the clocks of issuer and verifier may differ. */
const CLOCK_LEEWAY = 5;

export interface ServiceTokenClaims {
  clientId: string;
  audience: string;
  scopes: readonly string[];
}

/** Issues and checks the RS256 tokens by which services prove themselves. They name no session and no role. */
export class ServiceTokens {
  readonly ttl: number;
  readonly #keys: KeySet;
  readonly #issuer: string;

  /** @param options `ttl` in seconds, at most 600. */
  constructor(keys: KeySet, options: { issuer: string; ttl: number }) {
    this.#keys = keys;
    this.#issuer = options.issuer;
    this.ttl = options.ttl;
  }

  async issue(claims: ServiceTokenClaims): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ scope: claims.scopes.join(' ') })
      .setProtectedHeader({ alg: 'RS256', typ: SERVICE_TOKEN_TYPE, kid: this.#keys.signingKeyId })
      .setIssuer(this.#issuer)
      .setAudience(claims.audience)
      .setSubject(claims.clientId)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + this.ttl)
      .setJti(randomUUID())
      .sign(this.#keys.signingKey);
  }

  /** @throws AuthError `unauthorized` for anything but a service token of ours for this audience that is valid now. */
  async verify(token: string, audience: string): Promise<ServiceTokenClaims> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#keyFor(kid), {
        algorithms: ['RS256'],
        issuer: this.#issuer,
        audience,
        typ: SERVICE_TOKEN_TYPE,
        clockTolerance: CLOCK_LEEWAY,
        requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'scope'],
      });
      const scope = typeof payload.scope === 'string' ? payload.scope : '';
      return { clientId: payload.sub ?? '', audience, scopes: scope.split(' ').filter(Boolean) };
    } catch (error) {
      if (error instanceof AuthError) throw error;
      throw new AuthError('unauthorized', INVALID_SERVICE_TOKEN, { cause: error });
    }
  }

  #keyFor(keyId: string | undefined) {
    const key = keyId === undefined ? undefined : this.#keys.find(keyId);
    if (!key) throw AuthError.unauthorized(INVALID_SERVICE_TOKEN);
    return key;
  }
}

const INVALID_SERVICE_TOKEN = 'The service token is missing, invalid or expired.';
