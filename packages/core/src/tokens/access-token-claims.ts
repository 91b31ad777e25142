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
}

/** Claims of a token whose signature, type, issuer, audience and times have been checked. */
export interface VerifiedAccessToken extends AccessTokenClaims {
  tokenId: string;
  issuedAt: number;
  expiresAt: number;
}

/** Whose tokens are accepted, and for whom. */
export interface TokenExpectation {
  issuer: string;
  audience: string;
}

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);
