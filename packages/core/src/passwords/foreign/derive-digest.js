// @ts-check
/**
 * Derives the digests of other systems' password hashes, in a hashing thread. Plain JavaScript like the thread's own file,
 * into which the build bundles it.
 */
import { createCipheriv, createHash, pbkdf2Sync, scryptSync } from 'node:crypto';

/**
 * @typedef {import('./derivation.js').BcryptDerivation} BcryptDerivation
 * @typedef {import('./derivation.js').Derivation} Derivation
 * @typedef {import('./derivation.js').Pbkdf2Derivation} Pbkdf2Derivation
 * @typedef {import('./derivation.js').PhpassDerivation} PhpassDerivation
 * @typedef {import('./derivation.js').ScryptDerivation} ScryptDerivation
 */

const CRYPT_ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Above the memory of every derivation that is accepted. */
const SCRYPT_MAX_MEMORY = 512 * 1024 * 1024;
const AES_256_KEY_BYTES = 32;
const AES_BLOCK_BYTES = 16;

/**
 * Returns the digest of a password. It is the text of the digest for bcrypt and phpass.
 * @param {Derivation} derivation
 * @param {string} password
 * @returns {Promise<Buffer>}
 */
export async function deriveDigest(derivation, password) {
  switch (derivation.scheme) {
    case 'bcrypt':
      return bcryptDigest(derivation, password);
    case 'phpass':
      return phpassDigest(derivation, password);
    case 'pbkdf2':
      return pbkdf2Digest(derivation, password);
    case 'scrypt':
      return scryptOutput(derivation, password, derivation.digestBytes);
    case 'firebase-scrypt':
      return keyStream(scryptOutput(derivation, password, AES_256_KEY_BYTES), derivation.digestBytes);
  }
}

/**
 * The library is loaded when the first hash of its scheme is verified: most services have none.
 * @param {BcryptDerivation} derivation
 * @param {string} password
 */
async function bcryptDigest({ setting }, password) {
  const { default: bcrypt } = await import('bcryptjs');
  return Buffer.from(bcrypt.hashSync(password, setting).slice(setting.length), 'latin1');
}

/**
 * @param {Pbkdf2Derivation} derivation
 * @param {string} password
 */
function pbkdf2Digest({ hash, iterations, salt, digestBytes }, password) {
  return pbkdf2Sync(password, salt, iterations, digestBytes, hash);
}

/**
 * @param {ScryptDerivation} derivation
 * @param {string} password
 * @param {number} length
 */
function scryptOutput({ salt, cost, blockSize, parallelization }, password, length) {
  return scryptSync(password, salt, length, { cost, blockSize, parallelization, maxmem: SCRYPT_MAX_MEMORY });
}

/**
 * Returns the first bytes of the stream of AES in counter mode, from a counter of zero.
 * @param {Buffer} key
 * @param {number} length
 */
function keyStream(key, length) {
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(AES_BLOCK_BYTES)).update(Buffer.alloc(length));
}

/**
 * @param {PhpassDerivation} derivation
 * @param {string} password
 */
function phpassDigest({ rounds, salt }, password) {
  const typed = Buffer.from(password);
  let digest = createHash('md5').update(salt).update(typed).digest();
  for (let round = 0; round < rounds; round++) {
    digest = createHash('md5').update(digest).update(typed).digest();
  }
  return Buffer.from(cryptBase64(digest), 'latin1');
}

/**
 * Returns the base64 of `crypt(3)`: least significant bits first.
 * @param {Buffer} bytes
 */
function cryptBase64(bytes) {
  let text = '';
  for (let start = 0; start < bytes.length; start += 3) {
    const group = bytes.subarray(start, start + 3);
    const value = group.readUIntLE(0, group.length);
    for (let shift = 0; shift < group.length * 8; shift += 6) {
      text += CRYPT_ALPHABET.charAt((value >> shift) & 63);
    }
  }
  return text;
}
