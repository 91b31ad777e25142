import { MailAdministration } from '../admin/mail-administration.js';
import { OutboxListRepository } from '../mail/outbox-list-repository.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import type { Outbox } from '../mail/outbox.js';
import { MaintenanceService } from '../maintenance/maintenance-service.js';
import { RetentionRepository } from '../maintenance/retention-repository.js';
import { retentionsOf } from '../maintenance/retention.js';
import type { Settings } from '../settings/settings.js';
import type { Operations } from './administration.js';
import type { Records } from './build-records.js';

/** The services that look after what the service leaves behind: rows past their use, and mail. */
export function buildOperations(
  settings: Settings,
  { database, audit }: Records,
  outbox: Outbox,
): Operations {
  return {
    maintenance: new MaintenanceService(
      { database, audit, rows: new RetentionRepository(database) },
      retentionsOf(settings),
    ),
    mailAdministration: new MailAdministration({
      database,
      audit,
      outbox,
      mails: new OutboxRepository(database),
      mailLists: new OutboxListRepository(database),
    }),
  };
}
