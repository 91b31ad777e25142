import { unauthorized } from '../errors.js';

/** RFC 6750 section 2.1, the scheme in any case. */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** Returns the token of an `Authorization` header. No other source is read. @throws VerificationError `unauthorized`. */
export function bearerToken(authorization: string | null | undefined): string {
  const token = BEARER.exec(authorization?.trim() ?? '')?.[1];
  if (token === undefined) throw unauthorized();
  return token;
}
