import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from './user-repository.js';
import { profilePatchInput, toProfileView, type ProfilePatch, type ProfileView } from './user-schema.js';

/** Changes the profile of the caller. */
export class ProfileService {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #audit: AuditRepository;

  constructor(database: Database, users: UserRepository, audit: AuditRepository) {
    this.#database = database;
    this.#users = users;
    this.#audit = audit;
  }

  /**
   * Changes the profile.
   * @throws AuthError `validation_error`, `unauthorized` when the user no longer exists.
   */
  async update(
    userId: string,
    input: ProfilePatch,
    client: ClientInfo = unknownClient,
  ): Promise<ProfileView> {
    userId = checkId(userId, 'userId');
    const patch = checkInput(profilePatchInput, input);
    return this.#database.transaction(async (trx) => {
      const locked = await this.#users.lock([userId], trx);
      if (!locked.has(userId)) throw AuthError.unauthorized();
      const user = await this.#users.update(userId, patch, { raiseTokenVersion: false }, trx);
      await this.#audit.insert(
        {
          event: 'profile_updated',
          outcome: 'success',
          actor: { kind: 'user', userId },
          subjectUserId: userId,
          client,
          details: { fields: changedFields(patch) },
        },
        trx,
      );
      return toProfileView(user);
    });
  }
}

/**
 * Returns the names of the fields that a patch sets; values are personal and not written to the audit log.
 */
export const changedFields = (patch: object): string[] =>
  Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
