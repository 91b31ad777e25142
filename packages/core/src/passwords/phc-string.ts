import { randomBytes } from 'node:crypto';
import { areUsableParameters, type Argon2Parameters } from './argon2-parameters.js';
import { base64Bytes, toBase64 } from './base64.js';

/** Lengths of the salts and digests that this service writes, in bytes (RFC 9106 section 4). */
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/** Variant, parameters and lengths in a stored hash. */
interface PhcString extends Argon2Parameters {
  /** Argon2i and Argon2d come from other systems only. */
  variant: 'argon2id' | 'argon2i' | 'argon2d';
  saltBytes: number;
  digestBytes: number;
}

const PATTERN =
  /^\$(argon2id|argon2i|argon2d)\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Parses an Argon2 string of version 1.3. Returns undefined for a string that no engine can verify. */
export function parsePhcString(text: string): PhcString | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, variant, memory, iterations, parallelism, salt = '', digest = ''] = match;
  const parsed: PhcString = {
    variant: variant as PhcString['variant'],
    memoryKib: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
    saltBytes: base64Bytes(salt) ?? 0,
    digestBytes: base64Bytes(digest) ?? 0,
  };
  const isSound = parsed.saltBytes >= 8 && parsed.saltBytes <= 48 && isDigestLength(parsed.digestBytes);
  return isSound && areUsableParameters(parsed) ? parsed : undefined;
}

/** Reports whether a stored hash was made with exactly these parameters. Both lower and higher ones differ. */
export function hasParameters(parsed: PhcString, wanted: Argon2Parameters): boolean {
  return (
    parsed.variant === 'argon2id' &&
    parsed.memoryKib === wanted.memoryKib &&
    parsed.iterations === wanted.iterations &&
    parsed.parallelism === wanted.parallelism &&
    parsed.saltBytes === SALT_BYTES &&
    parsed.digestBytes === DIGEST_BYTES
  );
}

/** Returns a hash with a random digest. It costs as much to verify as a real one and matches no known password. */
export const decoyPhcString = ({ memoryKib, iterations, parallelism }: Argon2Parameters): string =>
  `$argon2id$v=19$m=${memoryKib},t=${iterations},p=${parallelism}${randomEnd()}`;

/** Returns the salt and digest of a hash that matches no known password. */
export const randomEnd = (): string =>
  `$${toBase64(randomBytes(SALT_BYTES))}$${toBase64(randomBytes(DIGEST_BYTES))}`;

function isDigestLength(bytes: number): boolean {
  return bytes >= 16 && bytes <= 64;
}
