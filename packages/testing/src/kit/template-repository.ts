import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { silentLogger } from '@latchkey/core';
import { Database } from '@latchkey/core/internal/storage/database';
import { readMigrationFiles } from '@latchkey/core/internal/storage/migration-file';
import { Migrator } from '@latchkey/core/internal/storage/migrator';
import { assertClockMoves, CLOCK_SCHEMA, useClockIn } from './clock-repository.js';
import type { TestServer } from './test-server.js';

const TEMPLATE = 'latchkey_template_';
const UNFINISHED = 'latchkey_unfinished_';
const CLONE = 'latchkey_kit_';
/** Seconds after which a database without connections is considered abandoned by a killed process. */
const LEFT_BEHIND = 600;

/** One process builds a template while the others wait. */
const LOCK = "SELECT pg_advisory_lock(hashtextextended('latchkey test template', 0))";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('latchkey test template', 0))";
const HAS_DATABASE = 'SELECT 1 FROM pg_database WHERE datname = $1';
const IDLE_DATABASES = `
  SELECT d.datname AS name FROM pg_database d
  WHERE (starts_with(d.datname, $1) OR starts_with(d.datname, $2))
    AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datname = d.datname)`;

/** The source of a template. */
interface TemplateSource {
  /** The folder of `.sql` files. */
  migrations: string;
  /** The schema of the tables: a plain name. */
  schema: string;
}

/**
 * Creates databases with the schema by copying a template that was migrated once for a server and a state of the
 * migrations. Any number of processes may use one server.
 */
export class TemplateRepository {
  readonly #server: TestServer;
  readonly #source: TemplateSource;

  constructor(server: TestServer, source: TemplateSource) {
    this.#server = server;
    this.#source = source;
  }

  /** Returns the name of the template; builds it if it does not exist yet. @throws MigrationError. */
  async prepare(): Promise<string> {
    const name = await this.#templateName();
    await this.#server.withClient(async (client) => {
      if (await hasDatabase(client, name)) return;
      await client.query(LOCK);
      try {
        if (!(await hasDatabase(client, name))) await this.#build(client, name);
      } finally {
        await client.query(UNLOCK);
      }
    });
    return name;
  }

  /** Creates a database for one kit, cloned in about 30 ms. Returns its name. */
  async newDatabase(template: string): Promise<string> {
    const name = nameWithTime(CLONE);
    await this.#server.clone(template, name);
    // Settings of a database are not copied with it.
    await this.#server.withClient((client) => client.query(useClockIn(name, this.#source.schema)));
    return name;
  }

  /** Drops the databases of killed processes. */
  async removeLeftovers(): Promise<void> {
    await this.#server.withClient(async (client) => {
      const { rows } = await client.query<{ name: string }>(IDLE_DATABASES, [CLONE, UNFINISHED]);
      for (const { name } of rows.filter(({ name }) => ageOf(name) > LEFT_BEHIND)) {
        // Another process may be removing it, too, or may be checking it.
        await client.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => undefined);
      }
    });
  }

  /**
   * Builds the template under another name until it is complete: a process that ends meanwhile leaves no
   * partial template.
   */
  async #build(client: pg.Client, name: string): Promise<void> {
    const unfinished = nameWithTime(UNFINISHED);
    await client.query(`CREATE DATABASE ${unfinished} TEMPLATE template0`);
    try {
      await client.query(useClockIn(unfinished, this.#source.schema));
      await fill(this.#server.urlOf(unfinished), this.#source);
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    } catch (error) {
      await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      // Other processes wait for the same lock only if they connect to the same database.
      if (!(await hasDatabase(client, name))) throw error;
    }
  }

  /** Returns the name of the template, which differs for each state of the migrations and of the clock. */
  async #templateName(): Promise<string> {
    const files = await readMigrationFiles(this.#source.migrations);
    const state = [
      CLOCK_SCHEMA,
      this.#source.schema,
      ...files.map(({ fileName, checksum }) => `${fileName} ${checksum}`),
    ];
    return TEMPLATE + createHash('sha256').update(state.join('\n')).digest('hex').slice(0, 16);
  }
}

async function hasDatabase(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query(HAS_DATABASE, [name])).rows.length > 0;
}

async function fill(url: string, { migrations, schema }: TemplateSource): Promise<void> {
  const database = new Database({ url, poolMax: 1, preparedStatements: false });
  try {
    // First, so that defaults of columns mean its functions.
    await database.withConnection(async (connection) => {
      await connection.query(CLOCK_SCHEMA);
      await connection.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await assertClockMoves(connection);
    });
    await new Migrator(database, migrations, silentLogger).up();
  } finally {
    // PostgreSQL renames and clones a database only while no client is connected to it.
    await database.close();
  }
}

const nameWithTime = (prefix: string): string =>
  `${prefix}${Math.floor(Date.now() / 1000)}_${randomBytes(6).toString('hex')}`;

/** Returns the age in seconds, by the time in the name. */
function ageOf(name: string): number {
  const made = /_(\d+)_[0-9a-f]+$/.exec(name)?.[1];
  return made === undefined ? 0 : Date.now() / 1000 - Number(made);
}
