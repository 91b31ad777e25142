import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** RFC 7518 section 3.3: RS256 keys have at least 2048 bits. */
const LEAST_BITS = 2048;
/** FIPS 186-5 section 5.1: the public exponent is odd and above 65536. With 1, anyone could sign. */
const LEAST_EXPONENT = 65_537n;

export type KeyHalf = 'private' | 'public';

/** The result of reading one PEM block. */
interface ReadKey {
  half: KeyHalf;
  /** Undefined when it cannot be read. */
  key: KeyObject | undefined;
  /** The reasons that it cannot sign or verify tokens, without quoting it; empty for a good key. */
  faults: string[];
}

/**
 * Returns the PEM blocks of a text. Secret stores and shells often keep a PEM on one line: with `
 * ` written out, or base64.
 */
export function pemBlocks(text: string): string[] {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const lines = plain.replaceAll('\\r', '').replaceAll('\\n', '\n');
  return lines.match(/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?-----END [A-Z0-9 ]+-----/g) ?? [];
}

/** Reads one PEM block, valid or not. */
export function readKeyBlock(block: string): ReadKey {
  const label = /^-----BEGIN ([A-Z0-9 ]+)-----/.exec(block)?.[1] ?? '';
  const half = /^(?:RSA )?PUBLIC KEY$/.test(label) ? 'public' : 'private';
  if (label === 'ENCRYPTED PRIVATE KEY') return { half, key: undefined, faults: ['an encrypted key'] };
  try {
    const key = half === 'private' ? createPrivateKey(block) : createPublicKey(block);
    return { half, key, faults: weaknessesOf(key) };
  } catch {
    // The library's message is left out: it may quote what it read.
    return { half, key: undefined, faults: ['a PEM block that cannot be read as a key'] };
  }
}

/** Returns the reasons that a key is not fit for RS256; empty if it is. */
export function weaknessesOf(key: KeyObject): string[] {
  if (key.asymmetricKeyType !== 'rsa') return ['not an RSA key'];
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const isUsual = publicExponent >= LEAST_EXPONENT && publicExponent % 2n === 1n;
  return [
    ...(modulusLength < LEAST_BITS ? [`an RSA key of ${modulusLength} bits`] : []),
    ...(isUsual ? [] : [`an RSA key with the public exponent ${publicExponent.toString()}`]),
  ];
}

/** Returns the PKCS#8 of a private key, the SPKI of a public one. */
export function pemOf(key: KeyObject): string {
  return key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }).toString();
}
