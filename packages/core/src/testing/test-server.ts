import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Another clone of the same template may run at this moment: PostgreSQL then answers so. */
const IN_USE = '55006';
const PAUSE_MS = 50;
const ATTEMPTS = 100;
const LEAVING_PAUSE_MS = 10;
const LEAVING_ATTEMPTS = 50;

/** A PostgreSQL server, seen by an account that may create databases on it. */
export class TestServer {
  /** Names the database that the account enters by; it is left alone. */
  readonly url: string;
  readonly #pool: pg.Pool;

  /** Opens nothing yet. */
  constructor(url: string) {
    this.url = url;
    // Idle connections do not keep a program alive.
    this.#pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
    // The end of the server also ends connections that are not in use.
    this.#pool.on('error', () => undefined);
  }

  /** The same server and account, another database. */
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

  /** A new database with the content of another one, to which nobody may be connected. */
  async clone(template: string, name: string): Promise<void> {
    await this.withClient(async (client) => {
      // Where nothing waits for the disk, copying files is several times faster than writing them to the log.
      const { rows } = await client.query<{ fsync: string }>('show fsync');
      const strategy = rows[0]?.fsync === 'off' ? 'strategy file_copy' : '';
      await cloneWith(client, `create database ${name} template ${template} ${strategy}`, ATTEMPTS);
    });
  }

  /**
   * Drops a database, whoever is still connected to it. Connections that are just being closed get half a second: a
   * driver whose connection is cut off on its way out throws where nobody catches it.
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
