import type { Administration, Administrator, ClientInfo, Migrations, Settings } from '@latchkey/core';
import type { Call } from './call.js';
import { CommandError, EXIT } from './failure.js';
import { currentOperator, operatorClient } from './operator.js';

/** The services, and in whose name they are used. */
export interface AdministrationSession {
  administration: Administration;
  operator: Administrator;
  client: ClientInfo;
}

/** Connects, works and disconnects. Heavy modules are loaded here, so that `--help` does without them. */
export async function withAdministration(
  call: Call,
  work: (session: AdministrationSession) => Promise<void>,
): Promise<void> {
  const { createAdministration } = await import('@latchkey/core');
  const administration = await createAdministration(await findSettings(), { logger: call.logger });
  try {
    await work({ administration, operator: currentOperator(), client: operatorClient() });
  } finally {
    await administration.close();
  }
}

/** Like `withAdministration`, for a schema in whatever state. */
export async function withMigrations(
  call: Call,
  work: (migrations: Migrations) => Promise<void>,
): Promise<void> {
  const { openMigrations } = await import('@latchkey/core');
  const migrations = openMigrations(await findSettings(), { logger: call.logger });
  try {
    await work(migrations);
  } finally {
    await migrations.close();
  }
}

/** The settings of the service; without a `DATABASE_URL` those of the one that runs here in development. */
async function findSettings(): Promise<Settings> {
  const { readSettings } = await import('@latchkey/core');
  const settings = readSettings(undefined, 'administration');
  const url = settings.database.url ?? (await findEmbeddedDatabase(settings.dataDir));
  return { ...settings, database: { ...settings.database, url } };
}

async function findEmbeddedDatabase(dataDir: string): Promise<string> {
  const { readEmbeddedPostgres } = await import('@latchkey/server');
  const running = found(() => readEmbeddedPostgres(dataDir), dataDir);
  if (running) return running.url;
  throw new CommandError(EXIT.unreachable, 'No database: start the service (npm start) or set DATABASE_URL.');
}

function found<T>(read: () => T, dataDir: string): T {
  try {
    return read();
  } catch {
    throw new CommandError(
      EXIT.unreachable,
      `The database of the service in ${dataDir} cannot be used by this account.`,
      'Run the command as the user who started the service, or set DATABASE_URL.',
    );
  }
}
