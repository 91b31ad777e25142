import { jwtVerify, type JWTPayload } from 'jose';
import { AuthError } from '../kernel/auth-error.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import { isUuid } from '../kernel/id.js';
import {
  ACCESS_TOKEN_TYPE,
  CLOCK_LEEWAY,
  type ActClaim,
  type TokenExpectation,
  type VerifiedAccessToken,
} from './access-token-claims.js';
import type { AuthenticationLevel } from './authentication-level.js';
import { assertCanonicalSignature } from './canonical-signature.js';
import { extraClaimsOf } from './extra-claims.js';
import { assertNumericDates } from './numeric-date.js';
import { keyForToken, type PublicKeys } from './published-keys.js';
import { TokenFault, tokenFault } from './token-fault.js';

/**
 * Verifies everything about an access token that can be verified without a database.
 * @throws AuthError `unauthorized`, whose cause is the `TokenFault`.
 */
export async function verifyAccessToken(
  token: string,
  keys: PublicKeys,
  expected: TokenExpectation,
  clock: Clock,
): Promise<VerifiedAccessToken> {
  try {
    assertCanonicalSignature(token);
    const { payload } = await jwtVerify(token, ({ kid }) => keyForToken(keys, kid), {
      algorithms: ['RS256'],
      issuer: expected.issuer,
      audience: expected.audience,
      typ: ACCESS_TOKEN_TYPE,
      clockTolerance: CLOCK_LEEWAY,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'sid', 'auth_time'],
    });
    const claims = readClaims(payload);
    assertValidNow(claims, clock);
    return claims;
  } catch (error) {
    throw new AuthError('unauthorized', INVALID_TOKEN, { cause: tokenFault(error) });
  }
}

/** Checks the times of a token. @throws TokenFault before it was issued and after it has expired. */
export function assertValidNow({ issuedAt, expiresAt }: VerifiedAccessToken, clock: Clock): void {
  const now = epochSeconds(clock);
  if (expiresAt + CLOCK_LEEWAY <= now) throw new TokenFault('expiry', 'it has expired');
  if (issuedAt - CLOCK_LEEWAY > now) throw new TokenFault('start', 'it was issued in the future');
}

const INVALID_TOKEN = 'The access token is missing, invalid or expired.';

function readClaims(payload: JWTPayload): VerifiedAccessToken {
  assertNumericDates(payload, ['iat', 'nbf', 'exp', 'auth_time']);
  const { sub, sid, jti, iat, exp, globalRole, tokenVersion, acr } = payload;
  const amr = textsOf(payload.amr);
  const act = actOf(payload.act);
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
    throw new TokenFault('claims', 'its claims are not those of an access token');
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
    claims: extraClaimsOf(payload),
    amr,
    acr: levelOfClaims(acr, amr),
    ...(act && { act }),
  };
}

/** Returns the claim of who acts for the user. @throws TokenFault for one without a subject: it must not be overlooked. */
function actOf(value: unknown): ActClaim | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && 'sub' in value && typeof value.sub === 'string') {
    return { sub: value.sub };
  }
  throw new TokenFault('claims', 'its claim act is not that of an access token');
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/**
 * Returns the level of a verified token. Tokens of versions without the claim have none: there a passkey was the
 * only second factor.
 */
function levelOfClaims(acr: unknown, amr: readonly string[]): AuthenticationLevel {
  if (acr === undefined) return amr.includes('hwk') ? 'aal2' : 'aal1';
  return acr === 'aal2' ? 'aal2' : 'aal1';
}
