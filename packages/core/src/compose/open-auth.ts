import { AuthEvents } from '../audit/auth-events.js';
import { OwnRowsRunner } from '../audit/own-rows.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import type { Auth } from './auth.js';
import { buildAuth } from './build-auth.js';
import type { BuildOptions } from './given-parts.js';
import { closeAll, openInfrastructure } from './infrastructure.js';
import { openGeoip } from './open-geoip.js';
import { createRepositories } from './repositories.js';

/** Opens everything else and builds the services over a database whose schema is current. */
export async function openAuth(settings: Settings, database: Database, options: BuildOptions): Promise<Auth> {
  const events = new AuthEvents(options.logger);
  const { logger, within: functions = {} } = options;
  const ownRows = new OwnRowsRunner({ database, functions: { ...functions }, logger });
  const repositories = createRepositories(database, events, ownRows);
  const geoip = options.geoip ?? (await openGeoip(settings));
  const infrastructure = await openInfrastructure(settings, repositories, options);
  try {
    const auth = await buildAuth(settings, { ...infrastructure, events }, { ...options, geoip });
    infrastructure.mail.worker?.start();
    return auth;
  } catch (error) {
    await closeAll(infrastructure, logger);
    throw error;
  }
}
