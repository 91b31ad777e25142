import { errors } from 'jose';

/** What a token is checked for. */
export type TokenCheck =
  'form' | 'type' | 'algorithm' | 'key' | 'signature' | 'claims' | 'issuer' | 'audience' | 'expiry' | 'start';

/**
 * Which check a token failed. For those who run the service; whoever presents a token is not told.
 * @example
 * ```ts
 * try {
 *   decodeToken('not a token');
 * } catch (error) {
 *   const check = error instanceof TokenFault ? error.check : undefined;
 *   check; // → 'form'
 * }
 * ```
 */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';

  constructor(
    readonly check: TokenCheck,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const CHECK_OF_CLAIM: Record<string, TokenCheck> = {
  typ: 'type',
  iss: 'issuer',
  aud: 'audience',
  exp: 'expiry',
  iat: 'start',
  nbf: 'start',
};

/** The check behind an error of the library that checks signatures and claims. */
export function tokenFault(error: unknown): TokenFault {
  if (error instanceof TokenFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new TokenFault(checkOf(error), message, error);
}

function checkOf(error: unknown): TokenCheck {
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWTExpired) return 'expiry';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isThere = error.reason !== 'missing';
    return (isThere || error.claim === 'typ' ? CHECK_OF_CLAIM[error.claim] : undefined) ?? 'claims';
  }
  return 'form';
}
