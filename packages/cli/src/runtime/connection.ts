import type { ClientInfo, Settings, TrustedActor } from '@latchkey/core';
import type { Administration, Migrations } from '@latchkey/core/administration';
import type { Call } from './call.js';
import { findEmbeddedDatabase } from './embedded-database.js';
import { CommandError, EXIT } from './failure.js';
import { currentOperator, operatorClient } from './operator.js';

/** The services, and in whose name they are used. */
export interface AdministrationSession {
  administration: Administration;
  settings: Settings;
  operator: TrustedActor;
  client: ClientInfo;
}

/** Connects, works and disconnects. Heavy modules are loaded here, so that `--help` does without them. */
export async function withAdministration(
  call: Call,
  work: (session: AdministrationSession) => Promise<void>,
): Promise<void> {
  const { createAdministration } = await import('@latchkey/core/administration');
  const settings = await findSettings();
  const administration = await createAdministration(settings, { logger: call.logger });
  try {
    await work({ administration, settings, operator: currentOperator(), client: operatorClient() });
  } finally {
    await administration.close();
  }
}

/** Like `withAdministration`, for a schema in whatever state. */
export async function withMigrations(
  call: Call,
  work: (migrations: Migrations) => Promise<void>,
): Promise<void> {
  const { openMigrations } = await import('@latchkey/core/administration');
  const migrations = openMigrations(await findSettings(), { logger: call.logger });
  try {
    await work(migrations);
  } finally {
    await migrations.close();
  }
}

/** The settings of the service; without a `DATABASE_URL` those of the one that runs here in development. */
async function findSettings(): Promise<Settings> {
  const { readSettings } = await import('@latchkey/core/administration');
  const settings = readSettings(undefined, 'administration');
  const url = settings.database.url ?? (await findEmbeddedDatabase(settings.dataDir));
  if (url === undefined) throw new CommandError(EXIT.unreachable, NO_DATABASE);
  return { ...settings, database: { ...settings.database, url } };
}

const NO_DATABASE = 'No database: start the service (npm start) or set DATABASE_URL.';
