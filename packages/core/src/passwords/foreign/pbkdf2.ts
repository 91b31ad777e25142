import type { Pbkdf2Derivation } from './derivation.js';
import { BASE64_FIELDS, type ForeignScheme, NUMBER, numbersIn } from './foreign-scheme.js';

/** Takes a thread one to two seconds. Common defaults are at most 1,400,000. */
const MAX_ITERATIONS = 4_000_000;

/** Bytes of one block, the output of the hash function. */
const BLOCK_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** PBKDF2 with HMAC: `$pbkdf2-sha256$i=600000`. */
export const pbkdf2: ForeignScheme = {
  ...BASE64_FIELDS,
  prefix: `\\$pbkdf2-sha(?:1|256|512)\\$i=${NUMBER}`,
  derivation(prefix, salt, digestBytes) {
    const [, name = '', parameters = ''] = prefix.split('$');
    const hash = name.slice('pbkdf2-'.length) as Pbkdf2Derivation['hash'];
    const [iterations = 0] = numbersIn(parameters);
    if (iterations > MAX_ITERATIONS) return undefined;
    // Each further block costs as much as the first and an attacker computes only that one.
    return {
      scheme: 'pbkdf2',
      hash,
      iterations,
      salt,
      digestBytes: Math.min(digestBytes, BLOCK_BYTES[hash]),
    };
  },
};
