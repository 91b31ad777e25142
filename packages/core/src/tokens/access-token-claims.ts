import type { AuthenticationLevel } from './authentication-level.js';
import type { ExtraClaims } from './extra-claims.js';

/** Media type of an access token (RFC 9068 section 2.1). It prevents other tokens of the same key from being accepted. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
/** Maximum difference between the clocks of issuer and verifier, in seconds. */
export const CLOCK_LEEWAY = 5;

/** The claim `act` of a session in which an actor acts for its user (RFC 8693 section 4.1). */
export interface ActClaim {
  /** The id of a member of staff, or the machine that vouches for the actor: `machine:service:crm`. */
  sub: string;
}

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
  /** Who acts for the user. */
  act?: ActClaim | undefined;
  /** The session ends then, whatever happens, in seconds since the epoch; its tokens expire no later. */
  notAfter?: number | undefined;
  /** Claims added by the host app. */
  claims?: ExtraClaims;
}

/** Claims of a token whose signature, type, issuer, audience and times have been checked. */
export interface VerifiedAccessToken extends Omit<AccessTokenClaims, 'notAfter'> {
  claims: ExtraClaims;
  tokenId: string;
  issuedAt: number;
  expiresAt: number;
}

/** The issuer and audience that accepted tokens must have. */
export interface TokenExpectation {
  issuer: string;
  audience: string;
}
