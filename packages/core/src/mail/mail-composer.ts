import type { MailBrand } from './mail-brand.js';
import {
  LATE_MAIL_KINDS,
  PLAIN_MAIL_KINDS,
  type LateMailKind,
  type MailKind,
  type QueuedMail,
} from './mail-kind.js';
import type { MailCompletions, MailSecretSource, MailSecretSources } from './mail-secret-source.js';
import type { MailContent } from './mailer.js';
import { approvalWaitingMessage } from './messages/approval-waiting.js';
import { emailVerificationMessage } from './messages/email-verification.js';
import { invitationMessage } from './messages/invitation.js';
import { passkeyAddedMessage } from './messages/passkey-added.js';
import { passkeyRemovedMessage } from './messages/passkey-removed.js';
import { passwordChangedMessage } from './messages/password-changed.js';
import { passwordResetMessage } from './messages/password-reset.js';
import { pendingRegistrationMessage } from './messages/pending-registration.js';
import {
  registrationApprovedMessage,
  registrationRejectedMessage,
} from './messages/registration-decision.js';

/** Turns queued mail into its final text, asking the registered sources for one-time links. */
export class MailComposer {
  readonly #brand: MailBrand;
  readonly #sources: Partial<MailSecretSources> = {};

  constructor(brand: MailBrand) {
    this.#brand = brand;
  }

  /** Names who makes the links of `kind`. @throws {TypeError} when the kind already has a source. */
  register<K extends LateMailKind>(kind: K, source: MailSecretSources[K]): void {
    if (this.#sources[kind]) throw new TypeError(`Mail of kind ${kind} already has a source of links.`);
    this.#sources[kind] = source;
  }

  /** The kinds that can be composed: those without a link, and those with a registered source. */
  kinds(): MailKind[] {
    return [...PLAIN_MAIL_KINDS, ...LATE_MAIL_KINDS.filter((kind) => this.#sources[kind])];
  }

  /** The kinds nobody registered a source for: such mail stays in the outbox. */
  missingSources(): LateMailKind[] {
    return LATE_MAIL_KINDS.filter((kind) => !this.#sources[kind]);
  }

  /** The final text, or `'skip'` when the cause of the mail no longer stands. */
  async compose(mail: QueuedMail): Promise<MailContent | 'skip'> {
    const context = { brand: this.#brand, occurredAt: mail.createdAt };
    switch (mail.kind) {
      case 'pending_registration':
        return pendingRegistrationMessage(context);
      case 'registration_approved':
        return registrationApprovedMessage(mail.payload, context);
      case 'registration_rejected':
        return registrationRejectedMessage(context);
      case 'password_changed':
        return passwordChangedMessage(mail.payload, context);
      case 'passkey_added':
        return passkeyAddedMessage(mail.payload, context);
      case 'passkey_removed':
        return passkeyRemovedMessage(mail.payload, context);
      case 'invitation': {
        const link = await completionOf(mail, this.#sources.invitation);
        return link === 'skip' ? link : invitationMessage(mail.payload, link, context);
      }
      case 'email_verification': {
        const link = await completionOf(mail, this.#sources.email_verification);
        return link === 'skip' ? link : emailVerificationMessage(link, context);
      }
      case 'approval_waiting': {
        const found = await completionOf(mail, this.#sources.approval_waiting);
        return found === 'skip' ? found : approvalWaitingMessage(found, context);
      }
      case 'password_reset': {
        const link = await completionOf(mail, this.#sources.password_reset);
        return link === 'skip' ? link : passwordResetMessage(mail.payload, link, context);
      }
    }
  }
}

function completionOf<K extends LateMailKind>(
  mail: QueuedMail<K>,
  source: MailSecretSource<K> | undefined,
): Promise<MailCompletions[K] | 'skip'> {
  if (!source) throw new TypeError('No source is registered for this kind of mail.');
  return source(mail);
}
