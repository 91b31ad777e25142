import { hash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AuthError } from '../kernel/auth-error.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  type VerifiedAccessToken,
} from './access-token-claims.js';
import type { TokenKeys } from './key-set.js';
import { signToken } from './sign-token.js';
import { TokenFault } from './token-fault.js';
import { assertValidNow, verifyAccessToken } from './verify-access-token.js';

const CLIENT_ID = 'latchkey';
/** Maximum number of cached verified tokens; about 1 KiB each, plus the claims of a host app. */
const MAX_CACHED_TOKENS = 20_000;
/** Minimum milliseconds between two warnings about differing clocks. */
const REPORT_INTERVAL = 60_000;

interface AccessTokenOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Lifetime in seconds. */
  readonly ttl: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Issues and verifies RS256 access tokens in the profile of RFC 9068. Only signature and claims are checked here; the
 * authenticator checks that the session is active.
 */
export class AccessTokens {
  readonly ttl: number;
  readonly #options: AccessTokenOptions;
  readonly #keys: TokenKeys;
  /** Time of the last warning about clocks, on the monotonic clock. */
  #reportedAt: number | undefined;
  // Caches only that the signature was valid. Times are compared on every use.
  readonly #verified = new LRUCache<string, VerifiedAccessToken>({ max: MAX_CACHED_TOKENS });

  constructor(keys: TokenKeys, options: AccessTokenOptions) {
    this.#options = options;
    this.#keys = keys;
    this.ttl = options.ttl;
  }

  /** Returns the seconds for which a token of these claims is valid: fewer at the end of a session that is limited. */
  lifetimeOf({ notAfter = Infinity }: Pick<AccessTokenClaims, 'notAfter'>): number {
    return Math.max(0, Math.min(this.ttl, Math.floor(notAfter) - epochSeconds(this.#options.clock)));
  }

  /** @param lifetime seconds until it expires. */
  async issue(claims: AccessTokenClaims, lifetime = this.lifetimeOf(claims)): Promise<string> {
    const now = epochSeconds(this.#options.clock);
    const content = {
      ...claims.claims,
      sid: claims.sessionId,
      client_id: CLIENT_ID,
      auth_time: claims.authTime,
      amr: claims.amr,
      acr: claims.acr,
      ...(claims.act && { act: { sub: claims.act.sub } }),
      globalRole: claims.globalRole,
      tokenVersion: claims.tokenVersion,
      iss: this.#options.issuer,
      aud: this.#options.audience,
      sub: claims.userId,
      iat: now,
      nbf: now,
      exp: now + lifetime,
      jti: randomUUID(),
    };
    return signToken(ACCESS_TOKEN_TYPE, content, this.#keys);
  }

  /** Returns the claims of a token. @throws AuthError `unauthorized` unless this service issued it and it is valid now. */
  async verify(token: string): Promise<VerifiedAccessToken> {
    const cacheKey = hash('sha256', token, 'base64');
    const cached = this.#verified.get(cacheKey);
    if (cached) return this.#stillValid(cacheKey, cached);
    const expected = { issuer: this.#options.issuer, audience: this.#options.audience };
    const verified = await verifyAccessToken(token, this.#keys, expected, this.#options.clock).catch(
      (error: unknown) => {
        this.#reportClocks(error);
        throw error;
      },
    );
    this.#verified.set(cacheKey, verified);
    return verified;
  }

  /** Warns about differing clocks, at most once a minute: only a holder of the key can issue a token dated in the future. */
  #reportClocks(error: unknown): void {
    const fault = AuthError.is(error) ? error.cause : undefined;
    if (!(fault instanceof TokenFault) || fault.check !== 'start') return;
    const now = this.#options.clock.elapsed();
    if (this.#reportedAt !== undefined && now - this.#reportedAt < REPORT_INTERVAL) return;
    this.#reportedAt = now;
    this.#options.logger.warn(
      { err: fault },
      'An access token was refused because it is dated ahead of the clock of this machine. Synchronize the clocks ' +
        'of all replicas; `latchkey doctor` measures how far each is from the database.',
    );
  }

  #stillValid(cacheKey: string, token: VerifiedAccessToken): VerifiedAccessToken {
    try {
      assertValidNow(token, this.#options.clock);
      return token;
    } catch {
      this.#verified.delete(cacheKey);
      throw AuthError.unauthorized();
    }
  }
}
