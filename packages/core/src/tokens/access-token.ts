import { hash, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { AuthError } from '../kernel/auth-error.js';
import { isUuid } from '../kernel/id.js';
import type { KeySet } from './key-set.js';

/** Media type of an access token (RFC 9068 section 2.1); keeps other tokens of this key from passing for one. */
const ACCESS_TOKEN_TYPE = 'at+jwt';
const CLIENT_ID = 'latchkey';
/** Seconds by which the clocks of issuer and verifier may differ. */
const CLOCK_LEEWAY = 5;
/** How many verified tokens are remembered; about 1 KiB each. */
const REMEMBERED_TOKENS = 20_000;

/** What an access token says of its bearer. */
export interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  globalRole: string;
  tokenVersion: number;
  /** When the person signed in, seconds since the epoch. */
  authTime: number;
  /** How, in values of RFC 8176. */
  amr: readonly string[];
}

/** Claims of a token whose signature, type, issuer, audience and times have been checked. */
export interface VerifiedAccessToken extends AccessTokenClaims {
  tokenId: string;
  issuedAt: number;
  expiresAt: number;
}

export interface AccessTokenOptions {
  issuer: string;
  audience: string;
  /** Lifetime in seconds. */
  ttl: number;
}

/**
 * Issues and checks RS256 access tokens in the profile of RFC 9068. Checking here is the cryptographic half only:
 * whether the session still stands is for the authenticator to say.
 */
export class AccessTokens {
  readonly ttl: number;
  readonly #keys: KeySet;
  readonly #issuer: string;
  readonly #audience: string;
  // Remembers that a signature was good, nothing more: times are compared on every use.
  readonly #verified = new LRUCache<string, VerifiedAccessToken>({ max: REMEMBERED_TOKENS });

  constructor(keys: KeySet, options: AccessTokenOptions) {
    this.#keys = keys;
    this.#issuer = options.issuer;
    this.#audience = options.audience;
    this.ttl = options.ttl;
  }

  async issue(claims: AccessTokenClaims): Promise<string> {
    const now = epochSeconds();
    return new SignJWT({
      sid: claims.sessionId,
      client_id: CLIENT_ID,
      auth_time: claims.authTime,
      amr: [...claims.amr],
      globalRole: claims.globalRole,
      tokenVersion: claims.tokenVersion,
    })
      .setProtectedHeader({ alg: 'RS256', typ: ACCESS_TOKEN_TYPE, kid: this.#keys.signingKeyId })
      .setIssuer(this.#issuer)
      .setAudience(this.#audience)
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
    const known = this.#verified.get(memoryKey) ?? (await this.#verifySignature(token));
    const now = epochSeconds();
    if (known.expiresAt + CLOCK_LEEWAY <= now || known.issuedAt - CLOCK_LEEWAY > now) {
      this.#verified.delete(memoryKey);
      throw AuthError.unauthorized();
    }
    this.#verified.set(memoryKey, known);
    return known;
  }

  async #verifySignature(token: string): Promise<VerifiedAccessToken> {
    if (!hasCanonicalSignature(token)) throw AuthError.unauthorized();
    try {
      const { payload } = await jwtVerify(token, (header) => this.#keyFor(header), {
        algorithms: ['RS256'],
        issuer: this.#issuer,
        audience: this.#audience,
        typ: ACCESS_TOKEN_TYPE,
        clockTolerance: CLOCK_LEEWAY,
        requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'sid', 'auth_time'],
      });
      return readClaims(payload);
    } catch (error) {
      throw error instanceof AuthError
        ? error
        : new AuthError('unauthorized', INVALID_TOKEN, { cause: error });
    }
  }

  #keyFor(header: JWTHeaderParameters) {
    const key = header.kid === undefined ? undefined : this.#keys.find(header.kid);
    if (!key) throw AuthError.unauthorized();
    return key;
  }
}

const INVALID_TOKEN = 'The access token is missing, invalid or expired.';

/**
 * Whether the signature is spelled as it is written here. Decoders overlook padding, the other base64 alphabet and
 * stray bits (RFC 4648 section 3.5), so one token would otherwise be good in several spellings.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

function readClaims(payload: JWTPayload): VerifiedAccessToken {
  const { sub, sid, jti, iat, exp, globalRole, tokenVersion, amr } = payload;
  if (
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    !isUuid(sid) ||
    typeof jti !== 'string' ||
    typeof iat !== 'number' ||
    typeof exp !== 'number' ||
    typeof globalRole !== 'string' ||
    typeof tokenVersion !== 'number' ||
    typeof payload.auth_time !== 'number'
  ) {
    throw AuthError.unauthorized();
  }
  return {
    userId: sub,
    sessionId: sid,
    tokenId: jti,
    issuedAt: iat,
    expiresAt: exp,
    globalRole,
    tokenVersion,
    authTime: payload.auth_time,
    amr: Array.isArray(amr) ? amr.filter((value): value is string => typeof value === 'string') : [],
  };
}

const epochSeconds = (): number => Math.floor(Date.now() / 1000);
