import type { JWTPayload } from 'jose';
import { TokenFault } from './token-fault.js';

/**
 * Throws unless each claim is a whole number of seconds that JavaScript represents exactly. `typeof` is not sufficient:
 * JSON can also contain numbers beyond its range, and a token with `"exp": 1e400` would never expire.
 * @throws TokenFault
 */
export function assertNumericDates(payload: JWTPayload, claims: readonly string[]): void {
  const fault = claims.find((name) => !Number.isSafeInteger(payload[name]));
  if (fault !== undefined) throw new TokenFault('claims', `"${fault}" is no whole number of seconds`);
}
