import type { PasswordHasher } from '../passwords/password-hasher.js';
import { ipBucket } from './ip-bucket.js';

type Passwords = Pick<PasswordHasher, 'assertRoom' | 'capacity' | 'busy'>;

/**
 * Turns away passwords of an address that could not be hashed now, before they cost anything else. Who was let in counts
 * until they leave: requests of one burst have all come in before the first of them reaches the queue.
 */
export class HashingRoom {
  readonly #passwords: Passwords;
  readonly #inside = new Map<string, number>();
  #total = 0;

  constructor(passwords: Passwords) {
    this.#passwords = passwords;
  }

  /**
   * @returns a function to call once, when the request is over.
   * @throws AuthError `service_unavailable` with the seconds to wait.
   */
  enter(ip: string | null): () => void {
    const bucket = ipBucket(ip);
    this.#passwords.assertRoom(bucket);
    const inside = this.#inside.get(bucket) ?? 0;
    const { total, ofBucket } = this.#passwords.capacity;
    if (inside >= ofBucket || this.#total >= total) throw this.#passwords.busy();
    this.#count(bucket, 1);
    return () => this.#count(bucket, -1);
  }

  #count(bucket: string, by: 1 | -1): void {
    const inside = (this.#inside.get(bucket) ?? 0) + by;
    this.#total += by;
    if (inside === 0) this.#inside.delete(bucket);
    else this.#inside.set(bucket, inside);
  }
}
