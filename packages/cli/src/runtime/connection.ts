import type { ClientInfo, Settings, TrustedActor } from '@latchkey/core';
import type { Administration, Migrations } from '@latchkey/core/administration';
import type { Call } from './call.js';
import { findEmbeddedDatabase } from './embedded-database.js';
import { CommandError, EXIT } from './failure.js';
import { operatorClient, operatorOf } from './operator.js';

/** The services, for commands that look. */
export interface AdministrationSession {
  administration: Administration;
  settings: Settings;
}

/** The services, and in whose name they change something. */
export interface OperatorSession extends AdministrationSession {
  operator: TrustedActor;
  client: ClientInfo;
}

/** Connects, works and disconnects. Heavy modules are loaded here, so that `--help` does without them. */
export async function withAdministration(
  call: Call,
  work: (session: AdministrationSession) => Promise<void>,
): Promise<void> {
  await connected(call, await findSettings(), work);
}

/**
 * The same for a command that changes something.
 * @throws CommandError in production when nobody can tell who does it, before anything is connected.
 */
export async function withOperator(
  call: Call,
  work: (session: OperatorSession) => Promise<void>,
): Promise<void> {
  const settings = await findSettings();
  const operator = operatorOf(settings, call.options.as);
  await connected(call, settings, (session) => work({ ...session, operator, client: operatorClient() }));
}

async function connected(
  call: Call,
  settings: Settings,
  work: (session: AdministrationSession) => Promise<void>,
): Promise<void> {
  const { createAdministration } = await import('@latchkey/core/administration');
  const administration = await createAdministration(settings, { logger: call.logger });
  try {
    await work({ administration, settings });
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
  const { readSettings, Secret } = await import('@latchkey/core/administration');
  const settings = readSettings(undefined, 'administration');
  if (settings.database.url !== undefined) return settings;
  const url = await findEmbeddedDatabase(settings.dataDir);
  if (url === undefined) throw new CommandError(EXIT.unreachable, NO_DATABASE);
  return { ...settings, database: { ...settings.database, url: new Secret(url) } };
}

const NO_DATABASE = 'No database: start the service (npm start) or set DATABASE_URL.';
