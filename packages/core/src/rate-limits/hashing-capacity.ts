import type { PasswordHasher } from '../passwords/password-hasher.js';
import { ipBucket } from './ip-bucket.js';

type Passwords = Pick<PasswordHasher, 'assertCapacity' | 'capacity' | 'countRejection'>;

/**
 * Rejects requests whose password could not be hashed now, before they cost anything else. A request counts from its
 * reservation, which it makes when it has arrived in full, to its end: all requests of a burst arrive before the first of
 * them reaches the queue.
 */
export class HashingCapacity {
  readonly #passwords: Passwords;
  readonly #reserved = new Map<string, number>();
  #total = 0;

  constructor(passwords: Passwords) {
    this.#passwords = passwords;
  }

  /**
   * Reserves capacity for one password of this address.
   * @returns a function that releases it; call it once, when the request has ended.
   * @throws AuthError `service_unavailable` with the seconds to wait.
   */
  reserve(ip: string | null): () => void {
    const bucket = ipBucket(ip);
    this.#assertFree(bucket);
    this.#count(bucket, 1);
    return () => this.#count(bucket, -1);
  }

  /**
   * Throws if no capacity is left for a password of this address, and reserves none.
   * @throws AuthError `service_unavailable` with the seconds to wait.
   */
  assertFree(ip: string | null): void {
    this.#assertFree(ipBucket(ip));
  }

  #assertFree(bucket: string): void {
    this.#passwords.assertCapacity(bucket);
    const reserved = this.#reserved.get(bucket) ?? 0;
    const { total, ofBucket } = this.#passwords.capacity;
    if (reserved >= ofBucket || this.#total >= total) throw this.#passwords.countRejection();
  }

  #count(bucket: string, by: 1 | -1): void {
    const reserved = (this.#reserved.get(bucket) ?? 0) + by;
    this.#total += by;
    if (reserved === 0) this.#reserved.delete(bucket);
    else this.#reserved.set(bucket, reserved);
  }
}
