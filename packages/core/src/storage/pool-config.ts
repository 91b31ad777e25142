import type pg from 'pg';
import { shownHost } from '../kernel/database-hosts.js';
import type { Logger } from '../kernel/logger.js';
import { clientConfig, sessionClient } from './client-config.js';
import { ReadOnlyServerError } from './database-error.js';
import { DEADLINES } from './deadlines.js';
import { postgresTypes } from './postgres-types.js';

export interface ConnectionPoolOptions {
  /** With one host, or a list of them. */
  url: string;
  max: number;
  applicationName: string;
  readOnly: boolean;
  /** The schema of the tables. Undefined leaves the search path to the server. */
  schema?: string | undefined;
  logger: Logger;
}

/** Milliseconds an unused connection stays open, and seconds after which a used one is replaced. */
const IDLE_MS = 30_000;
const LIFETIME_SECONDS = 1_800;

interface HostTarget {
  url: string;
  /** True if there are others to turn to. */
  isListed: boolean;
  /** True refuses a server that does not accept writes. */
  requiresWritable: boolean;
  /** False leaves out the startup parameters that a pooler may refuse. */
  sendsAll: boolean;
}

/** The pool waits for `onConnect`, of which its types know nothing. */
interface HostPoolConfig extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** Returns the options of a pool of connections to one host. @throws DatabaseFault for a file that cannot be read. */
export function poolConfig(
  { max, applicationName, readOnly, schema }: ConnectionPoolOptions,
  target: HostTarget,
): HostPoolConfig & { Client: typeof pg.Client } {
  const { options, ...named } = clientConfig(target.url);
  const { sendsAll, requiresWritable, url } = target;
  const onConnect = (client: pg.ClientBase): Promise<void> => assertWritable(client, url);
  const config = {
    application_name: applicationName,
    ...named,
    ...(sendsAll && startupParameters()),
    ...optionsOf(options, sendsAll && readOnly),
    Client: sessionClient({ schema, sendsAll }),
    max,
    connectionTimeoutMillis: target.isListed ? DEADLINES.connectListed : DEADLINES.connect,
    query_timeout: DEADLINES.reply,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: postgresTypes,
  };
  return requiresWritable ? { ...config, onConnect } : config;
}

function optionsOf(given: string | undefined, isReadOnly: boolean): Pick<pg.PoolConfig, 'options'> {
  const parts = [given, isReadOnly ? '-c default_transaction_read_only=on' : undefined];
  const options = parts.filter((part) => part !== undefined).join(' ');
  return options === '' ? {} : { options };
}

const startupParameters = () => ({
  statement_timeout: DEADLINES.statement,
  lock_timeout: DEADLINES.lock,
  idle_in_transaction_session_timeout: DEADLINES.idleInTransaction,
});

/** Throws for a standby, and for a primary whose transactions are read-only. */
async function assertWritable(client: pg.ClientBase, url: string): Promise<void> {
  const check = {
    text: "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as refused",
    query_timeout: DEADLINES.connectListed,
  };
  const { rows } = await client.query<{ refused: boolean }>(check);
  if (rows[0]?.refused !== false) throw new ReadOnlyServerError(shownHost(url));
}
