import type { Derivation, ScryptDerivation } from './derivation.js';
import { BASE64_FIELDS, type ForeignScheme, NUMBER, numbersIn } from './foreign-scheme.js';

/** Memory that one thread may use. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
/** Memory times lanes, in bytes: takes a thread one to two seconds. */
const MAX_WORK_BYTES = 512 * 1024 * 1024;

/** scrypt: `$scrypt$ln=14,r=8,p=1`. */
export const scrypt: ForeignScheme = {
  ...BASE64_FIELDS,
  prefix: `\\$scrypt\\$ln=${NUMBER},r=${NUMBER},p=${NUMBER}`,
  derivation: (prefix, salt, digestBytes) => scryptDerivation('scrypt', numbersIn(prefix), salt, digestBytes),
};

/**
 * The scrypt of Firebase: `$firebase-scrypt$m=14,r=8`. Its salt is that of the user with the separator of the project.
 * Its digest is the AES-CTR stream of the derived key, with which Firebase encrypts the signer key of the project. So the
 * signer key, a secret of all users, is not stored.
 */
export const firebaseScrypt: ForeignScheme = {
  ...BASE64_FIELDS,
  prefix: `\\$firebase-scrypt\\$m=${NUMBER},r=${NUMBER}`,
  derivation: (prefix, salt, digestBytes) =>
    scryptDerivation('firebase-scrypt', [...numbersIn(prefix), 1], salt, digestBytes),
};

function scryptDerivation(
  scheme: ScryptDerivation['scheme'],
  [logCost = 0, blockSize = 0, parallelization = 0]: readonly number[],
  salt: Uint8Array,
  digestBytes: number,
): Derivation | undefined {
  const memory = 128 * 2 ** logCost * blockSize;
  // RFC 7914 section 2: N is less than 2^(128 * r / 8).
  const isUsable = logCost < 16 * blockSize;
  if (!isUsable || memory > MAX_MEMORY_BYTES || memory * parallelization > MAX_WORK_BYTES) return undefined;
  return { scheme, cost: 2 ** logCost, blockSize, parallelization, salt, digestBytes };
}
