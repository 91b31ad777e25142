import { randomBytes } from 'node:crypto';
import { areUsableParameters, type Argon2Parameters } from './argon2-parameters.js';

/** Lengths of the salts and digests that this service writes, in bytes (RFC 9106 section 4). */
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/** Parameters and lengths in a stored hash. */
export interface PhcString extends Argon2Parameters {
  saltBytes: number;
  digestBytes: number;
}

const PATTERN =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Parses an Argon2id string of version 1.3. Returns undefined for a string that no engine can verify. */
export function parsePhcString(text: string): PhcString | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, memory, iterations, parallelism, salt = '', digest = ''] = match;
  const parsed: PhcString = {
    memoryKib: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
    saltBytes: decodedLength(salt),
    digestBytes: decodedLength(digest),
  };
  const isSound = parsed.saltBytes >= 8 && parsed.saltBytes <= 48 && isDigestLength(parsed.digestBytes);
  return isSound && areUsableParameters(parsed) ? parsed : undefined;
}

/** Reports whether a stored hash was made with exactly these parameters. Both lower and higher ones differ. */
export function hasParameters(parsed: PhcString, wanted: Argon2Parameters): boolean {
  return (
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

/** Returns a decoy with the part of a stored hash before its salt, or undefined if no engine can verify it. */
export function decoyWithPrefix(prefix: string): string | undefined {
  const decoy = prefix + randomEnd();
  return parsePhcString(decoy) && decoy;
}

const randomEnd = (): string => `$${encode(randomBytes(SALT_BYTES))}$${encode(randomBytes(DIGEST_BYTES))}`;

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** Returns the number of bytes of unpadded base64, or 0 if its last character has stray bits, which engines reject. */
function decodedLength(base64: string): number {
  const bytes = Buffer.from(base64, 'base64');
  return encode(bytes) === base64 ? bytes.length : 0;
}

function isDigestLength(bytes: number): boolean {
  return bytes >= 16 && bytes <= 64;
}
