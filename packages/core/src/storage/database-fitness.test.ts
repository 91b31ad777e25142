import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { silentLogger } from '../kernel/logger.js';
import { Database } from './database.js';
import { Migrator } from './migrator.js';
import { resolveMigrationsDirectory } from './resolve-migrations-path.js';

const MIGRATIONS = resolveMigrationsDirectory('migrations');
let admin: (sql: string, database?: string) => Promise<void>;

beforeAll(() => {
  const { url } = inject('postgres');
  admin = async (sql, name) => {
    const address = new URL(url);
    if (name !== undefined) address.pathname = `/${name}`;
    const database = new Database({ url: address.href, poolMax: 1, preparedStatements: false });
    await database.withConnection((connection) => connection.query(sql));
    await database.close();
  };
});

const newName = (): string => `fitness_${randomBytes(5).toString('hex')}`;

async function emptyDatabase(options = ''): Promise<string> {
  const name = newName();
  await admin(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  onTestFinished(() => admin(`DROP DATABASE ${name} WITH (FORCE)`));
  return name;
}

async function newRole(): Promise<string> {
  const role = newName();
  await admin(`CREATE ROLE ${role} LOGIN`);
  return role;
}

function migratorOf(name: string, { role, schema }: { role?: string; schema?: string } = {}): Migrator {
  const url = new URL(inject('postgres').url);
  url.pathname = `/${name}`;
  if (role !== undefined) url.username = role;
  const database = new Database({ url: url.href, poolMax: 2, preparedStatements: false, schema });
  onTestFinished(() => database.close());
  return new Migrator(database, MIGRATIONS, silentLogger);
}

describe('a database that does not fit', () => {
  it.each(['up', 'assertCurrent'] as const)('%s rejects a database that is not UTF8', async (step) => {
    const name = await emptyDatabase("ENCODING 'LATIN1' LOCALE 'C'");
    await expect(migratorOf(name)[step]()).rejects.toThrow(/has the encoding LATIN1.*ENCODING 'UTF8'/);
  });

  it('a role without the right to create tables is named with the statement that grants it', async () => {
    const [name, role] = [await emptyDatabase(), await newRole()];
    await expect(migratorOf(name, { role }).up()).rejects.toThrow(
      `GRANT CREATE, USAGE ON SCHEMA public TO ${role}`,
    );
    await admin(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`, name);
    expect((await migratorOf(name, { role }).up()).applied.length).toBeGreaterThan(0);
  });

  it('a role that may not create the schema is named with the statement that creates it', async () => {
    const [name, role] = [await emptyDatabase(), await newRole()];
    const migrator = migratorOf(name, { role, schema: 'latchkey' });
    await expect(migrator.up()).rejects.toThrow(`CREATE SCHEMA latchkey AUTHORIZATION ${role}`);
    await admin(`CREATE SCHEMA latchkey AUTHORIZATION ${role}`, name);
    expect((await migrator.up()).applied.length).toBeGreaterThan(0);
  });

  it('a role that may not read the tables is named with the statement that grants it', async () => {
    const [name, role] = [await emptyDatabase(), await newRole()];
    await migratorOf(name).up();
    await expect(migratorOf(name, { role }).assertCurrent()).rejects.toThrow(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
  });
});

describe('a schema of our own', () => {
  it('the tables are created in it, beside another program that keeps schema_migrations in public', async () => {
    const name = await emptyDatabase();
    await admin('CREATE TABLE schema_migrations (version text); CREATE TABLE users (id int)', name);
    const migrator = migratorOf(name, { schema: 'latchkey' });
    const { applied } = await migrator.up();
    expect(await migrator.assertCurrent()).toEqual([]);
    expect((await migrator.up()).already).toBe(applied.length);
    await admin('SELECT id, email FROM latchkey.users', name);
  });
});
