import type { MailWorker } from '../mail/mail-worker.js';
import type { Mailer, MailTransport } from '../mail/mailer.js';
import { Outbox, WORKER_ELSEWHERE } from '../mail/outbox.js';
import type { OwnMail } from '../mail/own-mail.js';
import type { Settings } from '../settings/settings.js';
import { mailTransportOf } from './mail-transport.js';
import type { Repositories } from './repositories.js';

/** The delivery of mail from the outbox. */
export interface MailDelivery {
  transport: MailTransport;
  mailer: Mailer | undefined;
  worker: MailWorker | undefined;
  outbox: Outbox;
}

/** Returns the delivery by another process on the same database. Mail is queued unless that process has no transport. */
export function mailElsewhere(
  settings: Settings,
  { database, mails }: Repositories,
  own?: OwnMail,
): MailDelivery {
  const transport = mailTransportOf(settings, own);
  const outbox = new Outbox({ database, mails, worker: transport === 'off' ? undefined : WORKER_ELSEWHERE });
  return { transport, mailer: undefined, worker: undefined, outbox };
}
