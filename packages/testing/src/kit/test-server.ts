import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** PostgreSQL's code while another clone of the same template is running. */
const IN_USE = '55006';
const PAUSE_MS = 50;
const ATTEMPTS = 100;
const LEAVING_PAUSE_MS = 10;
const LEAVING_ATTEMPTS = 50;

/** A PostgreSQL server, seen by an account that may create databases on it. */
export class TestServer {
  /** The URL with the database that the account connects to; it is not changed. */
  readonly url: string;
  readonly #pool: pg.Pool;

  /** Opens no connection. */
  constructor(url: string) {
    this.url = url;
    // Idle connections do not keep a program alive.
    this.#pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
    // The end of the server also ends connections that are not in use.
    this.#pool.on('error', () => undefined);
  }

  /** Returns the URL of the same server and account with another database. */
  urlOf(database: string): string {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  /** Lends a connection. */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  /** Creates a database with the content of another one, to which no client may be connected. */
  async clone(template: string, name: string): Promise<void> {
    await this.withClient(async (client) => {
      // Without waiting for the disk, copying files is several times faster than writing them to the log.
      const { rows } = await client.query<{ fsync: string }>('show fsync');
      const strategy = rows[0]?.fsync === 'off' ? 'strategy file_copy' : '';
      await cloneWith(client, `create database ${name} template ${template} ${strategy}`, ATTEMPTS);
    });
  }

  /**
   * Drops a database, even with connected clients. Connections that are just being closed get half a second:
   * a driver whose connection is cut off while closing throws an uncaught error.
   */
  async drop(name: string): Promise<void> {
    await this.withClient(async (client) => {
      await othersLeft(client, name, LEAVING_ATTEMPTS);
      await client.query(`drop database if exists ${name} with (force)`);
    });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

async function othersLeft(client: pg.PoolClient, database: string, attempts: number): Promise<void> {
  const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [database]);
  if (rowCount === 0 || attempts <= 1) return;
  await pause(LEAVING_PAUSE_MS);
  await othersLeft(client, database, attempts - 1);
}

async function cloneWith(client: pg.PoolClient, statement: string, attempts: number): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const isBusy = error instanceof pg.DatabaseError && error.code === IN_USE;
    if (!isBusy || attempts <= 1) throw error;
    await pause(PAUSE_MS);
    await cloneWith(client, statement, attempts - 1);
  }
}
