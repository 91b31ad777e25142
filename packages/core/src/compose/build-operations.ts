import { MailAdministration } from '../admin/mail-administration.js';
import type { Outbox } from '../mail/outbox.js';
import { MaintenanceService } from '../maintenance/maintenance-service.js';
import { retentionsOf } from '../maintenance/retention.js';
import type { Settings } from '../settings/settings.js';
import type { Operations } from './administration.js';
import type { Repositories } from './repositories.js';

/** Builds the services that remove expired rows and manage queued mail. */
export const buildOperations = (
  settings: Settings,
  repositories: Repositories,
  outbox: Outbox,
): Operations => ({
  maintenance: new MaintenanceService(repositories, retentionsOf(settings)),
  mailAdministration: new MailAdministration({ ...repositories, outbox }),
});
