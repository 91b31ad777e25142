import { decodeJwt, decodeProtectedHeader } from 'jose';
import { AuthError } from '../kernel/auth-error.js';
import { systemClock } from '../kernel/clock.js';
import { ACCESS_TOKEN_TYPE, type TokenExpectation, type VerifiedAccessToken } from './access-token-claims.js';
import type { PublicKeys } from './published-keys.js';
import { TokenFault, type TokenCheck } from './token-fault.js';
import { verifyAccessToken } from './verify-access-token.js';
import { SERVICE_TOKEN_TYPE, verifyServiceToken } from './verify-service-token.js';

/** Unverified contents of a token. Anyone can create a token with these contents. */
export interface DecodedToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** Result of checking a token. */
export type TokenVerdict =
  | { isValid: true; kind: 'access'; accessToken: VerifiedAccessToken }
  | { isValid: true; kind: 'service' }
  | { isValid: false; kind: 'access' | 'service' | undefined; failed: TokenCheck; reason: string };

/**
 * Returns header and claims without verifying them.
 * @throws TokenFault if the text is not a signed JWT.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * decodeToken(accessToken).header.alg; // → 'RS256'
 * ```
 */
export function decodeToken(token: string): DecodedToken {
  try {
    if (token.split('.').length !== 3) throw new TypeError('three parts are needed');
    return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } };
  } catch (error) {
    throw new TokenFault('form', 'it is no signed JWT', error);
  }
}

/**
 * Checks an access or service token like the service does, and returns the reason if it is invalid.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * const { issuer, audience } = auth.settings.tokens;
 * (await judgeToken(accessToken, auth.keys, { issuer, audience })).isValid; // → true
 * ```
 */
export async function judgeToken(
  token: string,
  keys: PublicKeys,
  expected: TokenExpectation,
): Promise<TokenVerdict> {
  const kind = kindOf(token);
  try {
    if (kind === 'service') {
      await verifyServiceToken(token, keys, expected, systemClock);
      return { isValid: true, kind };
    }
    // A token without a known type is checked as an access token, so that other faults are reported first.
    const accessToken = await verifyAccessToken(token, keys, expected, systemClock);
    return { isValid: true, kind: 'access', accessToken };
  } catch (error) {
    const fault = AuthError.is(error) ? error.cause : error;
    if (!(fault instanceof TokenFault)) throw error;
    return { isValid: false, kind, failed: fault.check, reason: describeFault(fault, token, expected) };
  }
}

function kindOf(token: string): 'access' | 'service' | undefined {
  const { typ } = decodedOrEmpty(token).header;
  if (typ === ACCESS_TOKEN_TYPE) return 'access';
  return typ === SERVICE_TOKEN_TYPE ? 'service' : undefined;
}

/** Describes a failed check for the holder of the token. */
function describeFault({ check, message }: TokenFault, token: string, expected: TokenExpectation): string {
  const { header, claims } = decodedOrEmpty(token);
  switch (check) {
    case 'type':
      return `its type is ${shown(header.typ)}, not ${ACCESS_TOKEN_TYPE} or ${SERVICE_TOKEN_TYPE}`;
    case 'algorithm':
      return `its algorithm is ${shown(header.alg)}, not RS256`;
    case 'key':
      return `its key ${shown(header.kid)} is not in the key set`;
    case 'signature':
      return 'its signature was not made by the key it names, or it was changed afterwards';
    case 'issuer':
      return `its issuer is ${shown(claims.iss)}, not ${shown(expected.issuer)}`;
    case 'audience':
      return `its audience is ${shown(claims.aud)}, not ${shown(expected.audience)}`;
    case 'expiry':
      return 'it has expired';
    case 'start':
      return 'it is not valid yet';
    case 'form':
    case 'claims':
      return message;
  }
}

function decodedOrEmpty(token: string): DecodedToken {
  try {
    return decodeToken(token);
  } catch {
    return { header: {}, claims: {} };
  }
}

const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value));
