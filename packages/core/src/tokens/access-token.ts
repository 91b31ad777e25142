import { hash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { AuthError } from '../kernel/auth-error.js';
import { epochSeconds, systemClock, type Clock } from '../kernel/clock.js';
import { silentLogger, type Logger } from '../kernel/logger.js';
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  type VerifiedAccessToken,
} from './access-token-claims.js';
import type { TokenKeys } from './key-set.js';
import { TokenFault } from './token-fault.js';
import { assertValidNow, verifyAccessToken } from './verify-access-token.js';

const CLIENT_ID = 'latchkey';
/** How many verified tokens are remembered; about 1 KiB each, and the claims of a host app. */
const REMEMBERED_TOKENS = 20_000;
/** Milliseconds between two warnings about clocks that differ. */
const REPORT_INTERVAL = 60_000;

export interface AccessTokenOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Lifetime in seconds. */
  readonly ttl: number;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Issues and checks RS256 access tokens in the profile of RFC 9068. Checking here is the cryptographic half only:
 * whether the session still stands is for the authenticator to say.
 */
export class AccessTokens {
  readonly ttl: number;
  readonly #options: AccessTokenOptions;
  readonly #keys: TokenKeys;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Time of the last warning about clocks, on the monotonic clock. */
  #reportedAt: number | undefined;
  // Remembers that a signature was good, nothing more: times are compared on every use.
  readonly #verified = new LRUCache<string, VerifiedAccessToken>({ max: REMEMBERED_TOKENS });

  constructor(keys: TokenKeys, options: AccessTokenOptions) {
    this.#options = options;
    this.#keys = keys;
    this.ttl = options.ttl;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
  }

  async issue(claims: AccessTokenClaims): Promise<string> {
    const now = epochSeconds(this.#clock);
    return new SignJWT({
      ...claims.claims,
      sid: claims.sessionId,
      client_id: CLIENT_ID,
      auth_time: claims.authTime,
      amr: [...claims.amr],
      globalRole: claims.globalRole,
      tokenVersion: claims.tokenVersion,
    })
      .setProtectedHeader({ alg: 'RS256', typ: ACCESS_TOKEN_TYPE, kid: this.#keys.signingKeyId })
      .setIssuer(this.#options.issuer)
      .setAudience(this.#options.audience)
      .setSubject(claims.userId)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + this.ttl)
      .setJti(randomUUID())
      .sign(this.#keys.signingKey);
  }

  /** @throws AuthError `unauthorized` for anything but a token of this service that is valid now. */
  async verify(token: string): Promise<VerifiedAccessToken> {
    const memoryKey = hash('sha256', token, 'base64');
    const remembered = this.#verified.get(memoryKey);
    if (remembered) return this.#stillValid(memoryKey, remembered);
    const expected = { issuer: this.#options.issuer, audience: this.#options.audience };
    const verified = await verifyAccessToken(token, this.#keys, expected, this.#clock).catch(
      (error: unknown) => {
        this.#reportClocks(error);
        throw error;
      },
    );
    this.#verified.set(memoryKey, verified);
    return verified;
  }

  /** Warns, once a minute at most, when clocks differ: only a holder of the key can date a token ahead. */
  #reportClocks(error: unknown): void {
    const fault = AuthError.is(error) ? error.cause : undefined;
    if (!(fault instanceof TokenFault) || fault.check !== 'start') return;
    const now = this.#clock.elapsed();
    if (this.#reportedAt !== undefined && now - this.#reportedAt < REPORT_INTERVAL) return;
    this.#reportedAt = now;
    this.#logger.warn(
      { err: fault },
      'An access token was refused because it is dated ahead of the clock of this machine. Synchronize the clocks ' +
        'of all replicas; `latchkey doctor` measures how far each is from the database.',
    );
  }

  #stillValid(memoryKey: string, token: VerifiedAccessToken): VerifiedAccessToken {
    try {
      assertValidNow(token, this.#clock);
      return token;
    } catch {
      this.#verified.delete(memoryKey);
      throw AuthError.unauthorized();
    }
  }
}
