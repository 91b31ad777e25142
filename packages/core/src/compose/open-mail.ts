import { UndoLinkSource } from '../account-deletion/undo-link-source.js';
import { EmailChangedSource, EmailChangeLinkSource } from '../email-change/email-change-sources.js';
import { VerificationLinkSource } from '../email-verification/verification-link-source.js';
import { InvitationLinkSource } from '../invitations/invitation-link-source.js';
import type { Logger } from '../kernel/logger.js';
import type { Tracer } from '../kernel/tracer.js';
import { WaitingApprovalsSource } from '../login/waiting-approvals-source.js';
import { mailBrandOf } from '../mail/mail-brand.js';
import { MailComposer } from '../mail/mail-composer.js';
import type { MailSources } from '../mail/mail-source.js';
import { MailWorker } from '../mail/mail-worker.js';
import { AppMailer } from '../mail/mailer.app.js';
import { InboxMailer } from '../mail/mailer.inbox.js';
import type { Mailer, MailTransport } from '../mail/mailer.js';
import { Outbox } from '../mail/outbox.js';
import type { OwnMail } from '../mail/own-mail.js';
import { MailedSignInSource } from '../mailed-sign-in/mailed-sign-in-source.js';
import { ResetLinkSource } from '../password-reset/reset-link-source.js';
import type { Settings } from '../settings/settings.js';
import type { MailDelivery } from './mail-delivery.js';
import { mailTransportOf, smtpOf } from './mail-transport.js';
import type { Repositories } from './repositories.js';

/** Opens the transport and builds the worker, which is not started yet. */
export async function openMail(
  settings: Settings,
  {
    repositories,
    logger,
    tracer,
    own,
  }: {
    readonly repositories: Repositories;
    readonly logger: Logger;
    readonly tracer: Tracer | undefined;
    readonly own: OwnMail | undefined;
  },
): Promise<MailDelivery> {
  const transport = mailTransportOf(settings, own);
  const mailer = own?.send ? new AppMailer(own.send) : await openMailer(settings, transport, logger);
  const composer = new MailComposer({
    brand: mailBrandOf(settings.brand, settings.http.baseUrl),
    sources: createSources(settings, repositories),
    defaultLocale: settings.defaultLocale,
    render: own?.render,
  });
  const worker = mailer && new MailWorker({ outbox: repositories.mails, composer, mailer, logger, tracer });
  return { transport, mailer, worker, outbox: new Outbox({ ...repositories, worker }) };
}

function createSources(
  { http: { baseUrl }, oneTimeSecrets: { passwordResetTtl: ttl }, registration }: Settings,
  repositories: Repositories,
): MailSources {
  return {
    invitation: new InvitationLinkSource(repositories.invitations, baseUrl),
    password_reset: new ResetLinkSource(repositories, { baseUrl, ttl }),
    mailed_sign_in: new MailedSignInSource({ ...repositories, baseUrl }),
    email_verification: new VerificationLinkSource(repositories, { ...registration, baseUrl }),
    email_change: new EmailChangeLinkSource({ ...repositories, baseUrl }),
    email_changed: new EmailChangedSource({ ...repositories, baseUrl }),
    account_deletion: new UndoLinkSource({ ...repositories, baseUrl }),
    approval_waiting: new WaitingApprovalsSource(repositories.userQueries, registration),
  };
}

/** Loads the SMTP library only if mail is sent by SMTP. */
async function openMailer(
  settings: Settings,
  transport: MailTransport,
  logger: Logger,
): Promise<Mailer | undefined> {
  const smtp = smtpOf(settings);
  if (smtp) {
    const { SmtpMailer } = await import('../mail/mailer.smtp.js');
    return new SmtpMailer(smtp);
  }
  return transport === 'inbox' ? new InboxMailer(logger) : undefined;
}
