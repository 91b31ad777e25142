import { errors } from 'jose';

/** The checks of a token. */
export type TokenCheck =
  | 'form'
  | 'type'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'claims'
  | 'issuer'
  | 'audience'
  | 'expiry'
  | 'start';

/**
 * Error with the failed check of a token. For operators only: clients do not receive the reason.
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
  readonly check: TokenCheck;

  constructor(check: TokenCheck, message: string, cause?: unknown) {
    super(message, { cause });
    this.check = check;
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

/** Converts an error of the library that verifies signatures and claims. */
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
    const isPresent = error.reason !== 'missing';
    return (isPresent || error.claim === 'typ' ? CHECK_OF_CLAIM[error.claim] : undefined) ?? 'claims';
  }
  return 'form';
}
