import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { OneTimeLink } from '../mail/one-time-link.js';
import type { InvitationRepository } from './invitation-repository.js';

const PREFIX = 'lki_';

/** Creates the link of an invitation when its mail is due. The token is in that mail and nowhere else. */
export class InvitationLinkSource implements MailSource<'invitation'> {
  readonly #invitations: InvitationRepository;
  readonly #baseUrl: string;

  /** @param baseUrl public address of the service, without a trailing slash. */
  constructor(invitations: InvitationRepository, baseUrl: string) {
    this.#invitations = invitations;
    this.#baseUrl = baseUrl;
  }

  /** Returns the link and replaces the stored digest; `skip` when the invitation is no longer open. */
  async complete(mail: QueuedMail<'invitation'>): Promise<OneTimeLink | 'skip'> {
    const token = generateSecret(PREFIX);
    const time = await this.#invitations.setToken(mail.payload.invitationId, digestOf(token));
    if (!time) return 'skip';
    return { url: `${this.#baseUrl}/accept-invitation?token=${token}`, ...time };
  }
}
