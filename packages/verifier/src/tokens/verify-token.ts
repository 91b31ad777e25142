import { base64url, decodeProtectedHeader, jwtVerify, type CryptoKey } from 'jose';
import { epochSeconds, type VerifierClock } from '../clock.js';
import { unauthorized } from '../errors.js';
import { VerificationError } from '../verification-error.js';
import { readKeyClaims } from './key-caller.js';
import { readClaims } from './read-claims.js';
import type { VerifiedCaller } from './verified-caller.js';

/** Media type of an access token (RFC 9068 section 2.1). It prevents other tokens of the same key from being accepted. */
const ACCESS_TOKEN_TYPE = 'at+jwt';
/** Media type of a token that an API key was exchanged for. */
const KEY_TOKEN_TYPE = 'key+jwt';
/** Maximum difference between the clocks of issuer and verifier, in seconds. */
export const CLOCK_LEEWAY = 5;

/** The tokens that are accepted. */
export interface TokenExpectation {
  /** One of these. */
  issuer: string[];
  audience: string;
  /** Longest accepted time from issue to expiry. Revocations are kept as long as a token of this age may live. */
  maxTokenSeconds: number;
  /** True also accepts the tokens of API keys. */
  apiKeys: boolean;
}

/** Returns the key of an id. @throws VerificationError `unauthorized` for an unknown one, `service_unavailable`. */
type FindKey = (keyId: string | undefined) => Promise<CryptoKey>;

/**
 * Verifies everything about an access token that can be verified by the key set, like the service does.
 * @throws VerificationError `unauthorized`, and what `findKey` throws.
 */
export async function verifyToken(
  token: string,
  findKey: FindKey,
  expected: TokenExpectation,
  clock: VerifierClock,
): Promise<{ caller: VerifiedCaller; key: CryptoKey }> {
  try {
    assertCanonicalSignature(token);
    const isOfKey = expected.apiKeys && decodeProtectedHeader(token).typ === KEY_TOKEN_TYPE;
    const { payload, key } = await jwtVerify(token, ({ kid }) => findKey(kid), {
      // Never taken from the token: RFC 8725 section 3.1.
      algorithms: ['RS256'],
      issuer: expected.issuer,
      audience: expected.audience,
      typ: isOfKey ? KEY_TOKEN_TYPE : ACCESS_TOKEN_TYPE,
      clockTolerance: CLOCK_LEEWAY,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'sid', ...(isOfKey ? [] : ['auth_time'])],
    });
    const caller = isOfKey ? readKeyClaims(payload) : readClaims(payload);
    assertShortLived(caller, expected);
    assertValidNow(caller, clock);
    return { caller, key };
  } catch (error) {
    throw VerificationError.is(error) ? error : unauthorized(error);
  }
}

/** Checks the times of a token. @throws VerificationError `unauthorized` before it was issued and after it has expired. */
export function assertValidNow({ issuedAt, expiresAt }: VerifiedCaller, clock: VerifierClock): void {
  const now = epochSeconds(clock);
  if (expiresAt + CLOCK_LEEWAY <= now || issuedAt - CLOCK_LEEWAY > now) throw unauthorized();
}

function assertShortLived({ issuedAt, expiresAt }: VerifiedCaller, expected: TokenExpectation): void {
  if (expiresAt - issuedAt <= expected.maxTokenSeconds) return;
  throw new TypeError(
    `the token is valid for ${expiresAt - issuedAt} s, at most ${expected.maxTokenSeconds} s are accepted; ` +
      'raise maxTokenSeconds to ACCESS_TOKEN_TTL of the service',
  );
}

/**
 * Throws unless the signature is in canonical base64url. Decoders ignore stray bits (RFC 4648 section 3.5), so a token
 * would otherwise be valid in several encodings.
 */
function assertCanonicalSignature(token: string): void {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  if (base64url.encode(base64url.decode(signature)) !== signature) {
    throw new TypeError('the signature is not canonical base64url');
  }
}
