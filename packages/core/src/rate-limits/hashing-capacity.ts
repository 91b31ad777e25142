import type { PasswordHasher } from '../passwords/password-hasher.js';
import { ipBucket } from './ip-bucket.js';

type Passwords = Pick<PasswordHasher, 'assertCapacity' | 'capacity' | 'countRejection'>;

/**
 * Milliseconds for which a place is reserved: enough for the way of a burst to the queue, which counts its passwords from then
 * on. A request that takes longer waits for something else, such as a hook of the app or a lock, and hashes nothing meanwhile.
 */
const PLACE_MS = 250;

/**
 * Rejects requests whose password could not be hashed now, before they cost anything else. A request reserves a place when it has
 * arrived in full, because all requests of a burst arrive before the first of them reaches the queue.
 */
export class HashingCapacity {
  readonly #passwords: Passwords;
  readonly #reserved = new Map<string, number>();
  #total = 0;

  constructor(passwords: Passwords) {
    this.#passwords = passwords;
  }

  /**
   * Reserves capacity for one password of this address, for a quarter of a second at most.
   * @returns a function that releases it, for the end of the request.
   * @throws AuthError `service_unavailable` with the seconds to wait.
   */
  reserve(ip: string | null): () => void {
    const bucket = ipBucket(ip);
    this.#assertFree(bucket);
    this.#count(bucket, 1);
    const release = once(() => this.#count(bucket, -1));
    const timer = setTimeout(release, PLACE_MS);
    return () => {
      clearTimeout(timer);
      release();
    };
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

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
