import type { Logger } from '../kernel/logger.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import type { Auth } from './auth.js';
import type { AccessOptions } from './build-access.js';
import { buildAuth } from './build-auth.js';
import { closeAll, openInfrastructure } from './infrastructure.js';

/** Opens everything else and builds the services over a database whose schema is current. */
export async function openAuth(
  settings: Settings,
  database: Database,
  options: { logger: Logger } & AccessOptions,
): Promise<Auth> {
  const infrastructure = await openInfrastructure(settings, database, options.logger);
  try {
    const auth = await buildAuth(settings, infrastructure, options);
    infrastructure.mail.worker?.start();
    return auth;
  } catch (error) {
    await closeAll(infrastructure);
    throw error;
  }
}
