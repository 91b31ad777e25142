import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** COSE algorithm identifiers (RFC 9053, RFC 8812) of ES256, EdDSA and RS256, in order of preference. */
export const KEY_ALGORITHMS = [-7, -8, -257];

const MIN_RSA_BITS = 2048;

/** A COSE key (RFC 9052 section 7) as CBOR decodes it. */
interface CoseKey {
  get(label: number): unknown;
}

/** Labels of RFC 9052 and 9053; what -1 to -3 mean depends on the key type. */
const KTY = 1;
const ALG = 3;

/**
 * Reports whether type, curve and size of a key are those of its algorithm, and its numbers form a usable
 * key: RSA of at least 2,048 bits with an odd exponent above 1.
 */
export function isSoundKey(key: CoseKey): boolean {
  const jwk = toJwk(key);
  if (!jwk) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ format: 'jwk', key: jwk });
    return jwk.kty !== 'RSA' || isSoundRsa(asymmetricKeyDetails);
  } catch {
    return false;
  }
}

function isSoundRsa({
  modulusLength = 0,
  publicExponent = 0n,
}: { modulusLength?: number; publicExponent?: bigint } = {}): boolean {
  return modulusLength >= MIN_RSA_BITS && publicExponent > 1n && publicExponent % 2n === 1n;
}

function toJwk(key: CoseKey): JsonWebKey | undefined {
  const [kty, first, second, third] = [KTY, -1, -2, -3].map((label) => key.get(label));
  switch (key.get(ALG)) {
    case -7:
      return kty === 2 && first === 1
        ? { kty: 'EC', crv: 'P-256', x: encode(second), y: encode(third) }
        : undefined;
    case -8:
      return kty === 1 && first === 6 ? { kty: 'OKP', crv: 'Ed25519', x: encode(second) } : undefined;
    case -257:
      return kty === 3 ? { kty: 'RSA', n: encode(first), e: encode(second) } : undefined;
    default:
      return undefined;
  }
}

const encode = (bytes: unknown): string =>
  bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64url') : '';
