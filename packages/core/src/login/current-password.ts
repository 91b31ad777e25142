import type { ClientInfo } from '../kernel/client-info.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { SignedInUser } from '../sessions/session.js';
import type { UserRepository } from '../users/user-repository.js';

/** Compares passwords of signed-in users. It counts nothing: the confirmations do. */
export class CurrentPassword {
  readonly #deps;

  constructor(deps: { readonly users: UserRepository; readonly passwords: PasswordHasher }) {
    this.#deps = deps;
  }

  /** @throws AuthError `service_unavailable` while no more passwords of the client's address can be hashed. */
  assertCapacity({ ipAddress }: ClientInfo): void {
    this.#deps.passwords.assertCapacity(ipBucket(ipAddress));
  }

  /**
   * Returns the hash that the password matches; undefined for a wrong one. An account without a password costs the same
   * work.
   */
  async match(
    { userId, user }: SignedInUser,
    password: string,
    { ipAddress }: ClientInfo,
  ): Promise<string | undefined> {
    const bucket = ipBucket(ipAddress);
    const passwordHash = (await this.#deps.users.findWithPassword(userId))?.passwordHash ?? null;
    if (passwordHash === null) await this.#deps.passwords.verifyDecoy(password, user.email, bucket);
    else if (await this.#deps.passwords.verify(passwordHash, password, bucket)) return passwordHash;
    return undefined;
  }
}
