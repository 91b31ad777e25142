import { jwtVerify } from 'jose';
import { AuthError } from '../kernel/auth-error.js';
import type { Clock } from '../kernel/clock.js';
import { CLOCK_LEEWAY, type TokenExpectation } from './access-token-claims.js';
import { assertCanonicalSignature } from './canonical-signature.js';
import { assertNumericDates } from './numeric-date.js';
import { keyForToken, type PublicKeys } from './published-keys.js';
import { tokenFault } from './token-fault.js';

/** Media type of a service token. It prevents it from being accepted as an access token, and vice versa. */
export const SERVICE_TOKEN_TYPE = 'service+jwt';

export interface ServiceTokenClaims {
  clientId: string;
  audience: string;
  scopes: readonly string[];
}

export interface VerifiedServiceToken extends ServiceTokenClaims {
  /** Seconds since the epoch. */
  expiresAt: number;
}

/**
 * Verifies everything about a service token except that its client still exists.
 * @throws AuthError `unauthorized`, whose cause is the `TokenFault`.
 */
export async function verifyServiceToken(
  token: string,
  keys: PublicKeys,
  { issuer, audience }: TokenExpectation,
  clock: Clock,
): Promise<VerifiedServiceToken> {
  try {
    assertCanonicalSignature(token);
    const { payload } = await jwtVerify(token, ({ kid }) => keyForToken(keys, kid), {
      algorithms: ['RS256'],
      issuer,
      audience,
      typ: SERVICE_TOKEN_TYPE,
      clockTolerance: CLOCK_LEEWAY,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'scope'],
    });
    assertNumericDates(payload, ['iat', 'nbf', 'exp']);
    const scope = typeof payload.scope === 'string' ? payload.scope : '';
    const scopes = scope.split(' ').filter(Boolean);
    return { clientId: payload.sub ?? '', audience, scopes, expiresAt: payload.exp ?? 0 };
  } catch (error) {
    throw new AuthError('unauthorized', INVALID_SERVICE_TOKEN, { cause: tokenFault(error) });
  }
}

const INVALID_SERVICE_TOKEN = 'The service token is missing, invalid or expired.';
