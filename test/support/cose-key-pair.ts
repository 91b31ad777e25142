import { constants, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

interface Algorithm {
  /** In the IANA registry "COSE Algorithms". */
  id: number;
  /** Null where the algorithm hashes by itself. */
  hash: string | null;
  /** Absent: RSA. */
  curve?: string;
  /** Absent: PKCS #1 v1.5. */
  padding?: { padding: number; saltLength: number };
}

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/** Those that the service offers, and some that it does not. */
const ALGORITHMS = {
  ES256: { id: -7, hash: 'sha256', curve: 'P-256' },
  EdDSA: { id: -8, hash: null, curve: 'Ed25519' },
  RS256: { id: -257, hash: 'sha256' },
  ES384: { id: -35, hash: 'sha384', curve: 'P-384' },
  PS256: { id: -37, hash: 'sha256', padding: PSS },
  RS1: { id: -65535, hash: 'sha1' },
} satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof ALGORITHMS;

/** Labels and values of RFC 9053 section 7 and RFC 8230 section 4. */
export type CoseKey = Map<number, number | Uint8Array>;

/** A credential's key pair; it signs as WebAuthn Level 3 section 6.5.5 has it. */
export class CoseKeyPair {
  readonly publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  readonly #algorithm: Algorithm;

  private constructor(algorithm: Algorithm, pair: { publicKey: KeyObject; privateKey: KeyObject }) {
    this.publicKey = pair.publicKey;
    this.#privateKey = pair.privateKey;
    this.#algorithm = algorithm;
  }

  /** `modulusLength` in bits: of RSA keys. */
  static async generate(name: AlgorithmName, modulusLength = 2048): Promise<CoseKeyPair> {
    const algorithm: Algorithm = ALGORITHMS[name];
    return new CoseKeyPair(algorithm, await generate(algorithm.curve, modulusLength));
  }

  /** The COSEAlgorithmIdentifier. */
  get algorithm(): number {
    return this.#algorithm.id;
  }

  /** ECDSA signatures are ASN.1 DER. */
  sign(bytes: Buffer): Promise<Buffer> {
    const { hash, padding } = this.#algorithm;
    return promisify(sign)(hash, bytes, { key: this.#privateKey, ...padding });
  }

  /** The public key as credential data carries it (section 6.5.1). */
  coseKey(): CoseKey {
    const { kty = '', crv = '', x, y, n, e } = this.publicKey.export({ format: 'jwk' });
    const members = kty === 'RSA' ? [bytesOf(n), bytesOf(e)] : [CURVES[crv], bytesOf(x), bytesOf(y)];
    const key: CoseKey = new Map([
      [1, KEY_TYPES[kty] ?? 0],
      [3, this.algorithm],
    ]);
    // Labels of what depends on the type of key go down from -1.
    for (const [index, member] of members.entries()) if (member !== undefined) key.set(-1 - index, member);
    return key;
  }
}

const KEY_TYPES: Record<string, number> = { OKP: 1, EC: 2, RSA: 3 };
const CURVES: Record<string, number> = { 'P-256': 1, 'P-384': 2, Ed25519: 6 };

const bytesOf = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64url');

function generate(curve: string | undefined, modulusLength: number) {
  if (curve === undefined) return promisify(generateKeyPair)('rsa', { modulusLength });
  if (curve === 'Ed25519') return promisify(generateKeyPair)('ed25519');
  return promisify(generateKeyPair)('ec', { namedCurve: curve });
}
