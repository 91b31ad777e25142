import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Refusal } from './refusal.js';

/** Whose tokens are accepted, and for whom: `JWT_ISSUER` and `JWT_AUDIENCE` of the service. */
export interface TokenExpectation {
  issuer: string;
  audience: string;
}

/** What is taken from an access token. There is more in it; see docs/http-api.md. */
const claims = z.object({
  sub: z.guid(),
  sid: z.guid(),
  globalRole: z.string(),
  exp: z.int(),
});

export interface Caller {
  userId: string;
  sessionId: string;
  /** As it was when the token was issued. */
  globalRole: string;
  /** Seconds since the epoch. */
  tokenExpiresAt: number;
}

/** Seconds by which the clocks of issuer and verifier may differ. */
const CLOCK_TOLERANCE = 5;

/**
 * Who a token was issued to, by its signature and its claims alone (RFC 9068 section 4). Whether the session behind it
 * still stands cannot be seen from here.
 * @throws Refusal 401 for anything but a token that is valid now, 503 when the key set cannot be had.
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
      // Fixed here and never taken from the token: RFC 8725 section 3.1.
      algorithms: ['RS256'],
      // Keeps other tokens of the same key, service tokens for one, from passing for an access token.
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
