import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { OneTimeLink } from '../mail/mail-secret-source.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { EmailVerificationRepository } from './email-verification-repository.js';

const PREFIX = 'lke_';
const LIFETIME = 24 * 3600;

/** Makes the link of a registration mail when the mail is due. */
export class VerificationLinkSource {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #verifications: EmailVerificationRepository;
  readonly #baseUrl: string;

  /** @param options `baseUrl`: public address of the service, without a trailing slash. */
  constructor(
    parts: { database: Database; users: UserRepository; verifications: EmailVerificationRepository },
    options: { baseUrl: string },
  ) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#verifications = parts.verifications;
    this.#baseUrl = options.baseUrl;
  }

  /** The link, its digest stored; `skip` when the registration was decided against, moved to another address or proved. */
  async linkFor({
    payload,
    recipient: email,
  }: QueuedMail<'email_verification'>): Promise<OneTimeLink | 'skip'> {
    const id = payload.verificationId;
    const open = await this.#verifications.findOpen(id);
    if (!open) return 'skip';
    const token = generateSecret(PREFIX);
    const isIssued = await this.#database.transaction(async (trx) => {
      await this.#users.lock([open.userId], trx);
      return this.#verifications.issue({ id, tokenDigest: digestOf(token), lifetime: LIFETIME, email }, trx);
    });
    return isIssued ? { url: `${this.#baseUrl}/verify-email?token=${token}`, lifetime: LIFETIME } : 'skip';
  }
}
