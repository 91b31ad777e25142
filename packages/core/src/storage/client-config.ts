import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import pg from 'pg';
import { readPostgresAddress, type PostgresAddress } from '../kernel/postgres-address.js';
import { DatabaseFault } from './database-fault.js';

/** The formats on which a session depends, whatever the server, the database or the account is set to. PgBouncer passes these on. */
const SESSION_FORMATS = { DateStyle: 'ISO', TimeZone: 'UTC', standard_conforming_strings: 'on' };
/** Further ones, which poolers may refuse. The driver sets `client_encoding`. */
const EXTRA_FORMATS = { IntervalStyle: 'postgres', bytea_output: 'hex', extra_float_digits: '1' };

/** Parameters that the driver does not send by itself. */
interface SessionOptions {
  /** The schema of the tables. */
  schema: string | undefined;
  /** False leaves out parameters that a pooler has refused. */
  sendsAll: boolean;
}

/** The parts of the driver that its types leave out. */
interface DriverClient {
  connectionParameters: { user?: string | undefined; database?: string | undefined };
  getStartupConf(): Record<string, string>;
}

/** Returns a class of connections that begin with the parameters that the statements of the service depend on. */
export function sessionClient({ schema, sendsAll }: SessionOptions): typeof pg.Client {
  const parameters = {
    ...SESSION_FORMATS,
    ...(sendsAll && EXTRA_FORMATS),
    ...(schema !== undefined && { search_path: searchPathOf(schema) }),
  };
  return class SessionClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const driver = this as unknown as DriverClient;
      const user = this.user ?? accountOfSystem();
      if (user === undefined) return;
      this.user = user;
      driver.connectionParameters.user = user;
      this.database ??= user;
      driver.connectionParameters.database ??= user;
    }

    getStartupConf(): Record<string, string> {
      const driver: unknown = pg.Client.prototype;
      return {
        ...(driver as DriverClient).getStartupConf.call(this as unknown as DriverClient),
        ...parameters,
      };
    }
  };
}

/** `public` holds extensions that were installed before, such as pg_trgm. */
export const searchPathOf = (schema: string): string => `"${schema}", public`;

/** Returns the options of a connection to one host. @throws DatabaseFault for a file that cannot be read. */
export function clientConfig(url: string): Omit<pg.ClientConfig, 'onConnect'> {
  const address = readPostgresAddress(url);
  const { user, password, host, port, database, parameters } = address;
  const named = {
    user,
    password,
    host,
    port,
    database,
    application_name: parameters.get('application_name'),
    options: parameters.get('options'),
    ssl: tlsOf(address),
    sslnegotiation: parameters.get('sslnegotiation'),
    enableChannelBinding: parameters.get('channel_binding') === 'prefer' ? true : undefined,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/**
 * Returns the TLS options; undefined leaves the choice to the driver. Every mode but `no-verify` verifies the certificate and
 * its name: libpq's `require` accepts any server.
 */
function tlsOf({ host, parameters }: PostgresAddress): pg.ClientConfig['ssl'] {
  const mode = parameters.get('sslmode') ?? modeOf(parameters.get('ssl'));
  if (host?.startsWith('/') === true || mode === 'disable') return false;
  if (mode === undefined) return undefined;
  const root = parameters.get('sslrootcert');
  return {
    rejectUnauthorized: mode !== 'no-verify',
    ...(root !== undefined && root !== 'system' && { ca: fileOf('sslrootcert', root) }),
    ...(parameters.has('sslcert') && {
      cert: fileOf('sslcert', parameters.get('sslcert') ?? ''),
      key: fileOf('sslkey', parameters.get('sslkey') ?? ''),
    }),
  };
}

function modeOf(ssl: string | undefined): string | undefined {
  if (ssl === undefined || ssl === 'no-verify') return ssl;
  return ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable';
}

function fileOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
    throw new DatabaseFault(
      `the file ${path} cannot be read (${code})`,
      `correct ${parameter} in DATABASE_URL, or make the file readable for this account`,
      cause,
    );
  }
}

/** Returns the account that libpq would use; undefined in a container whose account has no name. */
function accountOfSystem(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
