import type { ExtraClaims } from './extra-claims.js';

/** Media type of an access token (RFC 9068 section 2.1); keeps other tokens of this key from passing for one. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
/** Seconds by which the clocks of issuer and verifier may differ. */
export const CLOCK_LEEWAY = 5;

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
  /** What a host app adds; nothing when it is missing. */
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
 * Whose tokens are accepted, and for whom.
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
