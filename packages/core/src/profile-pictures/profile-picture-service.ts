import { randomBytes } from 'node:crypto';
import type { AuditEvent } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing, type ActingParty } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { validationError } from '../kernel/validation-error.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn } from '../users/user.js';
import { pictureNotFound } from './picture-not-found.js';
import { PictureFault, type Picture } from './picture.js';
import type { PictureFile, ProfilePictureRepository } from './profile-picture-repository.js';
import {
  pictureIdInput,
  profilePictureInput,
  type ProfilePictureInput,
  type ProfilePictureView,
} from './profile-picture-schema.js';
import { readPicture } from './read-picture.js';

/** Uploads of one user within an hour. */
const UPLOADS_PER_HOUR = 20;
/** 128 bits: an address cannot be guessed. */
const ID_BYTES = 16;

interface ProfilePictureServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly pictures: ProfilePictureRepository;
  readonly audit: AuditRepository;
  /** Public address of the service. */
  readonly baseUrl: string;
}

/**
 * Keeps the pictures that users upload. `profilePictureUrl` of the profile has the address, which shows the picture to everyone who has it;
 * of an upload and a change of that field the later one counts.
 */
export class ProfilePictureService {
  readonly #deps: ProfilePictureServiceDeps;

  constructor(deps: ProfilePictureServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps a picture of the caller without its metadata, in place of the former one, whose address ends.
   * @throws AuthError `validation_error` unless it is a WebP, JPEG or PNG file of at most 64 KiB and 32 to 512 pixels wide and high without
   * animation; `forbidden` while an actor acts for the user; `rate_limited` for the 21st within an hour; `unauthorized` when the user no
   * longer exists.
   */
  async set(
    caller: { userId: string; act?: ActingParty | undefined },
    input: ProfilePictureInput,
    client: ClientInfo = unknownClient,
  ): Promise<ProfilePictureView> {
    assertNotActing(caller);
    const { userId } = caller;
    const picture = pictureIn(checkInput(profilePictureInput, input).content);
    const { contentType, width, height, content } = picture;
    const id = randomBytes(ID_BYTES).toString('hex');
    const profilePictureUrl = `${this.#deps.baseUrl}/auth/pictures/${id}`;
    await this.#deps.database.transaction(async (trx) => {
      await this.#lock(userId, trx);
      await this.#assertMayUpload(userId, trx);
      await this.#deps.pictures.put(userId, { id, ...picture }, trx);
      await this.#deps.users.update(userId, { profilePictureUrl }, { raiseTokenVersion: false }, trx);
      const details = { contentType, width, height, bytes: content.length };
      await this.#record('picture_changed', { userId, client, details }, trx);
    });
    return { profilePictureUrl, contentType, width, height };
  }

  /**
   * Removes the uploaded picture of the caller: its address ends, and the profile has none.
   * @throws AuthError `not_found` if there is none; `forbidden` while an actor acts for the user.
   */
  async remove(
    caller: { userId: string; act?: ActingParty | undefined },
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    assertNotActing(caller);
    const { userId } = caller;
    await this.#deps.database.transaction(async (trx) => {
      await this.#lock(userId, trx);
      if (!(await this.#deps.pictures.remove(userId, trx))) throw pictureNotFound();
      await this.#deps.users.update(userId, { profilePictureUrl: '' }, { raiseTokenVersion: false }, trx);
      await this.#record('picture_removed', { userId, client }, trx);
    });
    return { status: 'ok' };
  }

  /**
   * Returns the picture with the secret part of its address.
   * @throws AuthError `validation_error` for anything but 32 hexadecimal digits; `not_found` if it was replaced or removed.
   */
  async read(pictureId: string): Promise<PictureFile> {
    const file = await this.#deps.pictures.findById(checkInput(pictureIdInput, pictureId, 'pictureId'));
    if (!file) throw pictureNotFound();
    return file;
  }

  async #lock(userId: string, trx: Transaction): Promise<void> {
    const user = (await this.#deps.users.lock([userId], trx)).get(userId);
    if (!user || !maySignIn(user)) throw AuthError.unauthorized();
  }

  /** Counts the uploads of the last hour under the lock of the user's row. */
  async #assertMayUpload(userId: string, trx: Transaction): Promise<void> {
    const uploads = { userId, event: 'picture_changed', perHour: UPLOADS_PER_HOUR } as const;
    const wait = await this.#deps.audit.secondsToWait(uploads, trx);
    if (wait === undefined) return;
    throw new AuthError('rate_limited', 'Too many pictures. Please try again later.', {
      reason: 'picture_limit_reached',
      retryAfterSeconds: wait,
    });
  }

  async #record(
    event: AuditEvent['event'],
    { userId, ...rest }: Pick<AuditEvent, 'client' | 'details'> & { userId: string },
    trx: Transaction,
  ): Promise<void> {
    const actor = { kind: 'user', userId } as const;
    await this.#deps.audit.insert({ event, outcome: 'success', actor, subjectUserId: userId, ...rest }, trx);
  }
}

function pictureIn(base64: string): Picture {
  try {
    return readPicture(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (!(error instanceof PictureFault)) throw error;
    throw validationError([{ pointer: '/content', reason: 'format', message: error.message }]);
  }
}
