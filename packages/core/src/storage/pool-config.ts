import type pg from 'pg';
import { shownHost } from '../kernel/database-hosts.js';
import type { Logger } from '../kernel/logger.js';
import { ReadOnlyServerError } from './database-error.js';
import { DEADLINES } from './deadlines.js';
import { postgresTypes } from './postgres-types.js';

export interface ConnectionPoolOptions {
  /** With one host, or a list of them. */
  url: string;
  max: number;
  applicationName: string;
  readOnly: boolean;
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
}

/** The pool waits for `onConnect`, of which its types know nothing. */
interface HostPoolConfig extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** Returns the options of a pool of connections to one host. */
export function poolConfig(options: ConnectionPoolOptions, target: HostTarget): HostPoolConfig {
  return {
    connectionString: target.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: target.isListed ? DEADLINES.connectListed : DEADLINES.connect,
    query_timeout: DEADLINES.reply,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: postgresTypes,
    ...(target.requiresWritable && { onConnect: (client) => assertWritable(client, target.url) }),
  };
}

export function startupParameters(readOnly: boolean): pg.PoolConfig {
  return {
    statement_timeout: DEADLINES.statement,
    lock_timeout: DEADLINES.lock,
    idle_in_transaction_session_timeout: DEADLINES.idleInTransaction,
    ...(readOnly ? { options: '-c default_transaction_read_only=on' } : {}),
  };
}

/** Throws for a standby, and for a primary whose transactions are read-only. */
async function assertWritable(client: pg.ClientBase, url: string): Promise<void> {
  const check = {
    text: "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as refused",
    query_timeout: DEADLINES.connectListed,
  };
  const { rows } = await client.query<{ refused: boolean }>(check);
  if (rows[0]?.refused !== false) throw new ReadOnlyServerError(shownHost(url));
}
