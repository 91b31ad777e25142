import { hostname } from 'node:os';
import type { ClientInfo, Settings, TrustedActor } from '@latchkey/core';
import type { Administration, Migrations } from '@latchkey/operations';
import { version } from '../version.js';
import type { Call } from './call.js';
import { findEmbeddedDatabase } from './embedded-database.js';
import { CommandError, EXIT } from './failure.js';
import { operatorOf } from './operator.js';

const MAX_USER_AGENT = 256;

/** Returns the host of the command, for the audit row. */
const operatorClient = (): ClientInfo => ({
  ipAddress: null,
  userAgent: `latchkey-cli/${version} (${hostname()})`.slice(0, MAX_USER_AGENT),
  deviceName: null,
  requestId: null,
});

/** The services, for commands that only read. */
export interface AdministrationSession {
  administration: Administration;
  settings: Settings;
}

/** The services, and the operator who makes a change. */
export interface OperatorSession extends AdministrationSession {
  operator: TrustedActor;
  client: ClientInfo;
}

/** Runs `work` with a connection, and closes it. Loads the core here, so that `--help` does not. */
export async function withAdministration(
  call: Call,
  work: (session: AdministrationSession) => Promise<void>,
): Promise<void> {
  await connected(call, await findSettings(), work);
}

/**
 * Runs `work` like `withAdministration`, for a command that changes something.
 * @throws CommandError in production if the operator is unknown, before anything is connected.
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
  const { createAdministration } = await import('@latchkey/operations');
  const administration = await createAdministration(settings, { logger: call.logger });
  try {
    await work({ administration, settings });
  } finally {
    await administration.close();
  }
}

/** Runs `work` like `withAdministration`, whatever the state of the schema. */
export async function withMigrations(
  call: Call,
  work: (migrations: Migrations) => Promise<void>,
): Promise<void> {
  const { openMigrations } = await import('@latchkey/operations');
  const migrations = openMigrations(await findSettings(), { logger: call.logger });
  try {
    await work(migrations);
  } finally {
    await migrations.close();
  }
}

/** Returns the settings of the service; without `DATABASE_URL`, with the embedded database of one that runs here. */
async function findSettings(): Promise<Settings> {
  const { readSettings, Secret } = await import('@latchkey/operations');
  const settings = readSettings(undefined, 'administration');
  if (settings.database.url !== undefined) return settings;
  const url = await findEmbeddedDatabase(settings.dataDir);
  if (url === undefined) throw new CommandError(EXIT.unreachable, NO_DATABASE);
  return { ...settings, database: { ...settings.database, url: new Secret(url) } };
}

const NO_DATABASE = 'No database is configured. Start the service (npm start) or set DATABASE_URL.';
