/** The derivation of a digest from a password, as a hashing thread runs it. */
export type Derivation = BcryptDerivation | PhpassDerivation | Pbkdf2Derivation | ScryptDerivation;

/** The digest is text: the last 31 characters of a bcrypt string. */
interface BcryptDerivation {
  scheme: 'bcrypt';
  /** The string up to its digest: `$2b$10$` and 22 characters of salt. */
  setting: string;
  digestBytes: number;
}

/** The digest is text: the last 22 characters of a phpass string. */
interface PhpassDerivation {
  scheme: 'phpass';
  /** Number of MD5 computations after the first. */
  rounds: number;
  salt: Uint8Array;
  digestBytes: number;
}

/** PBKDF2 with HMAC (RFC 8018). */
export interface Pbkdf2Derivation {
  scheme: 'pbkdf2';
  hash: 'sha1' | 'sha256' | 'sha512';
  iterations: number;
  salt: Uint8Array;
  digestBytes: number;
}

/** scrypt (RFC 7914). For Firebase its output is a key, and the digest the first bytes of that key's AES-CTR stream. */
export interface ScryptDerivation {
  scheme: 'scrypt' | 'firebase-scrypt';
  /** N, a power of two. */
  cost: number;
  /** r */
  blockSize: number;
  /** p */
  parallelization: number;
  salt: Uint8Array;
  digestBytes: number;
}
