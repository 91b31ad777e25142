import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Refusal } from './refusal.js';

/** Accepted issuer and audience: `JWT_ISSUER` and `JWT_AUDIENCE` of the service. */
export interface TokenExpectation {
  issuer: string;
  audience: string;
}

/** The claims used from an access token; docs/http-api.md lists all. */
const claims = z.object({
  sub: z.guid(),
  sid: z.guid(),
  globalRole: z.string(),
  exp: z.int(),
});

export interface Caller {
  userId: string;
  sessionId: string;
  /** Role at the time the token was issued. */
  globalRole: string;
  /** Seconds since the epoch. */
  tokenExpiresAt: number;
}

/** Seconds by which the clocks of issuer and verifier may differ. */
const CLOCK_TOLERANCE = 5;

/**
 * Returns the user of a token, verified by its signature and claims only (RFC 9068 section 4). Does not detect a
 * revoked session.
 * @throws Refusal 401 for anything but a currently valid token, 503 if the key set is unavailable.
 */
export async function verifyAccessToken(
  token: string,
  findKey: JWTVerifyGetKey,
  { issuer, audience }: TokenExpectation,
): Promise<Caller> {
  try {
    const { payload } = await jwtVerify(token, findKey, {
      issuer,
      audience,
      // Never taken from the token: RFC 8725 section 3.1.
      algorithms: ['RS256'],
      // Rejects other tokens of the same key, such as service tokens.
      typ: 'at+jwt',
      requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti', 'client_id', 'globalRole'],
      clockTolerance: CLOCK_TOLERANCE,
    });
    const { sub, sid, globalRole, exp } = claims.parse(payload);
    return { userId: sub, sessionId: sid, globalRole, tokenExpiresAt: exp };
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof z.ZodError)
      throw Refusal.unauthorized({ cause });
    throw cause;
  }
}
