import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AuthError } from '../kernel/auth-error.js';
import { encryptionKeyId } from './encryption-key-id.js';

/** An encrypted value, with the fingerprint of the key that is needed to read it. */
export interface EncryptedValue {
  keyId: string;
  /** Nonce, ciphertext and tag. */
  bytes: Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts values at rest with AES-256-GCM. Each is bound to its place, the row that it belongs to: in another row it
 * cannot be read.
 */
export class ValueCipher {
  readonly #keys: ReadonlyMap<string, Buffer>;
  /** Fingerprint of the key that encrypts. */
  readonly keyId: string;

  /** @param keys of 32 bytes: the first encrypts, all decrypt. @throws TypeError without a key. */
  constructor(keys: readonly Buffer[]) {
    const [first] = keys;
    if (!first) throw new TypeError('ValueCipher: at least one key is needed (ENCRYPTION_KEYS)');
    this.#keys = new Map(keys.map((key) => [encryptionKeyId(key), key]));
    this.keyId = encryptionKeyId(first);
  }

  /** Fingerprints of all keys, the one that encrypts first. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  encrypt(plain: Buffer, place: string): EncryptedValue {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keyOf(this.keyId), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const parts = [nonce, cipher.update(plain), cipher.final()];
    return { keyId: this.keyId, bytes: Buffer.concat([...parts, cipher.getAuthTag()]) };
  }

  /**
   * Returns the value.
   * @throws AuthError `service_unavailable` if its key is not configured, or it does not belong to this place.
   */
  decrypt({ keyId, bytes }: EncryptedValue, place: string): Buffer {
    const key = this.#keyOf(keyId);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch (error) {
      throw unreadable(error);
    }
  }

  #keyOf(keyId: string): Buffer {
    const key = this.#keys.get(keyId);
    if (key) return key;
    throw unreadable(new Error(`ENCRYPTION_KEYS does not contain the key ${keyId}`));
  }
}

const unreadable = (cause: unknown): AuthError =>
  AuthError.unavailable(
    'A stored secret cannot be read at the moment. Try another way, or again later.',
    cause,
    60,
  );
