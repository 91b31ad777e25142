import type { AuthenticationLevel } from './authentication-level.js';
import type { ExtraClaims } from './extra-claims.js';

/** Media type of an access token (RFC 9068 section 2.1). It prevents other tokens of the same key from being accepted. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
/** Maximum difference between the clocks of issuer and verifier, in seconds. */
export const CLOCK_LEEWAY = 5;

/** Claims of an access token about its user. */
export interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  globalRole: string;
  tokenVersion: number;
  /** Time of the sign-in, in seconds since the epoch. */
  authTime: number;
  /** Methods of the sign-in, in values of RFC 8176. */
  amr: readonly string[];
  /** Level of the sign-in: factors are counted by it, never by the methods. */
  acr: AuthenticationLevel;
  /** Claims added by the host app. */
  claims?: ExtraClaims;
}

/**
 * Claims of a token whose signature, type, issuer, audience and times have been checked.
 * @example
 * ```ts
 * const secondsLeft = ({ expiresAt }: VerifiedAccessToken): number => expiresAt - Date.now() / 1000;
 * const { accessToken } = await kit.user();
 * const { issuer, audience } = auth.settings.tokens;
 * const verdict = await judgeToken(accessToken, auth.keys, { issuer, audience });
 * if (!verdict.isValid || verdict.kind !== 'access') throw new Error('it is good');
 * secondsLeft(verdict.accessToken) > 0; // → true
 * ```
 */
export interface VerifiedAccessToken extends AccessTokenClaims {
  claims: ExtraClaims;
  tokenId: string;
  issuedAt: number;
  expiresAt: number;
}

/**
 * The issuer and audience that accepted tokens must have.
 * @example
 * ```ts
 * const expected: TokenExpectation = { issuer: 'https://elsewhere.example.com', audience: 'acme' };
 * const { accessToken } = await kit.user();
 * const verdict = await judgeToken(accessToken, auth.keys, expected);
 * verdict.isValid; // → false
 * ```
 */
export interface TokenExpectation {
  issuer: string;
  audience: string;
}
