import { actorOf, lockForAction, type Administrator } from '../admin/administrator.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import { pictureNotFound } from './picture-not-found.js';
import type { ProfilePictureRepository } from './profile-picture-repository.js';
import { removePictureInput, type RemovePicture } from './profile-picture-schema.js';

/** Removes the pictures of other users. Works while users may upload none, too. */
export class PictureAdministration {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly users: UserRepository;
    readonly pictures: ProfilePictureRepository;
    readonly audit: AuditRepository;
  }) {
    this.#deps = deps;
  }

  /**
   * Removes the uploaded picture of a user: its address ends, and the profile has none. It needs the rights that change the profile.
   * @throws AuthError `validation_error`; `not_found` if the user or the picture does not exist; `forbidden`.
   */
  async remove(
    administrator: Administrator,
    userId: string,
    input: RemovePicture = {},
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    userId = checkId(userId);
    const { reason } = checkInput(removePictureInput, input);
    if (administrator.kind === 'user') assertNotActing(administrator);
    await this.#deps.database.transaction(async (trx) => {
      const target = await lockForAction(this.#deps.users, { administrator, action: 'edit', userId }, trx);
      if (administrator.kind !== 'user') assertMachineMayWriteTo(administrator, target);
      if (!(await this.#deps.pictures.remove(userId, trx))) throw pictureNotFound();
      await this.#deps.users.update(userId, { profilePictureUrl: '' }, { raiseTokenVersion: false }, trx);
      const details = reason === undefined ? {} : { statedReason: reason };
      const about = { actor: actorOf(administrator), subjectUserId: userId, client, details };
      await this.#deps.audit.insert({ event: 'picture_removed', outcome: 'success', ...about }, trx);
    });
    return { status: 'ok' };
  }
}
