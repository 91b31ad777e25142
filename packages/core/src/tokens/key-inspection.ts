import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { pemBlocks, readKeyBlock, type KeyHalf } from '../kernel/key-pem.js';

/** Public facts about a key, valid or not. */
export interface KeyInspection {
  /** `RSA`, `RSA-PSS`, `EC`, `ED25519`, or `unreadable`. */
  kind: string;
  /** Length of an RSA key. */
  bits: number | null;
  /** Public exponent of an RSA key, decimal. */
  exponent: string | null;
  half: KeyHalf;
  /** RFC 7638 thumbprint; null for keys that have none. */
  kid: string | null;
  /** Reasons why the service rejects it; empty for a valid key. */
  faults: string[];
}

/**
 * Inspects every key of a PEM text, in its order. Escaped line breaks (`\n`) and base64 are supported.
 * @example
 * ```ts
 * const found = await inspectKeys(await generateSigningKey());
 * found.map(({ kind, bits, faults }) => [kind, bits, faults]); // → [['RSA', 2048, []]]
 * ```
 */
export function inspectKeys(text: string): Promise<KeyInspection[]> {
  return Promise.all(pemBlocks(text).map(inspect));
}

async function inspect(block: string): Promise<KeyInspection> {
  const { half, key, faults } = readKeyBlock(block);
  const { modulusLength, publicExponent } = key?.asymmetricKeyDetails ?? {};
  return {
    kind: key?.asymmetricKeyType?.toUpperCase() ?? 'unreadable',
    bits: modulusLength ?? null,
    exponent: publicExponent?.toString() ?? null,
    half,
    kid: key === undefined ? null : await thumbprintOf(key),
    faults,
  };
}

/** Returns the thumbprint, or null for kinds of keys without a JWK. */
async function thumbprintOf(key: KeyObject): Promise<string | null> {
  try {
    return await calculateJwkThumbprint(await exportJWK(key.type === 'private' ? createPublicKey(key) : key));
  } catch {
    return null;
  }
}
