import type { MailBrand } from './mail-brand.js';
import type { QueuedMail } from './mail-kind.js';
import type { MailSources } from './mail-source.js';
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

interface MailComposerDeps {
  readonly brand: MailBrand;
  readonly sources: MailSources;
}

/** Composes the final text of queued mail; the sources complete what is not known before it is sent. */
export class MailComposer {
  readonly #deps: MailComposerDeps;

  constructor(deps: MailComposerDeps) {
    this.#deps = deps;
  }

  /** Returns the final text, or `skip` when the cause of the mail no longer exists. */
  async compose(mail: QueuedMail): Promise<MailContent | 'skip'> {
    const { brand, sources } = this.#deps;
    const context = { brand, occurredAt: mail.createdAt };
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
        const link = await sources.invitation.complete(mail);
        return link === 'skip' ? link : invitationMessage(mail.payload, link, context);
      }
      case 'email_verification': {
        const link = await sources.email_verification.complete(mail);
        return link === 'skip' ? link : emailVerificationMessage(link, context);
      }
      case 'approval_waiting': {
        const found = await sources.approval_waiting.complete(mail);
        return found === 'skip' ? found : approvalWaitingMessage(found, context);
      }
      case 'password_reset': {
        const link = await sources.password_reset.complete(mail);
        return link === 'skip' ? link : passwordResetMessage(mail.payload, link, context);
      }
    }
  }
}
