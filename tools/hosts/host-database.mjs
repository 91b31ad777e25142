import pg from 'pg';
import { createAdministration, openMigrations, readSettings } from '@latchkey/operations';

/** The user that the checks sign in. */
export const ANN = {
  email: 'ann@example.com',
  fullName: 'Ann Berg',
  password: 'a long walk home by the sea',
};

/** Runs statements on a database, one after the other. @returns the rows of the last. */
export async function query(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Returns the tables of a schema, by name. */
export const tablesOf = async (url, schema) => {
  const rows = await query(
    url,
    `SELECT table_name FROM information_schema.tables WHERE table_schema = '${schema}' ORDER BY 1`,
  );
  return rows.map((row) => row.table_name);
};

/**
 * Creates the database that the page expects: Latchkey's tables in their own schema, and a user who can sign in.
 * @returns its address.
 */
export async function createHostDatabase(server, name) {
  const database = `host_${name.replaceAll('-', '_')}`;
  // Not the account of the server: if its name is that of the schema, PostgreSQL searches there first.
  await query(server.url, `CREATE ROLE ${database} LOGIN`, `CREATE DATABASE ${database} OWNER ${database}`);
  const address = new URL(server.url);
  address.username = database;
  address.pathname = `/${database}`;
  const plainUrl = address.href;
  const settings = readSettings({ DATABASE_URL: plainUrl, DATABASE_SCHEMA: 'latchkey' });
  const migrations = openMigrations(settings);
  await migrations.up();
  await migrations.close();
  const administration = await createAdministration(settings);
  try {
    await administration.bootstrap.create({ kind: 'operator', name: 'hosts:try' }, ANN);
  } finally {
    await administration.close();
  }
  return plainUrl;
}
