import { expect, it } from 'vitest';
import { openConnection } from './open-connection.js';
import { startPostgres } from './postgres.js';
import { createTestDatabase } from './test-database.js';

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = await openConnection(url);
  try {
    const result = await client.query<Record<string, unknown>>(statement);
    return result.rows;
  } finally {
    await client.end();
  }
}

it('a killed PostgreSQL restarts on its port with what was committed', async () => {
  const server = await startPostgres();
  await query(server.url, 'create table kept as select 1 as one');
  await server.kill();
  await server.restart();
  expect(await query(server.url, 'select one from kept')).toEqual([{ one: 1 }]);
  await server.stop();
});

it('test databases are migrated clones that do not see each other', async () => {
  const databases = await Promise.all([1, 2, 3, 4].map(() => createTestDatabase()));
  const [first, second] = databases.map((database) => database.url);
  await query(first!, 'create table only_here ()');
  const present =
    "select to_regclass('only_here') is not null as here, to_regclass('users') is not null as users";
  expect(await query(first!, present)).toEqual([{ here: true, users: true }]);
  expect(await query(second!, present)).toEqual([{ here: false, users: true }]);
  await Promise.all(databases.map((database) => database.drop()));
  await expect(query(first!, 'select 1')).rejects.toMatchObject({ code: '3D000' });
});

it('an unmigrated test database is empty', async () => {
  const database = await createTestDatabase({ migrated: false });
  const tables = "select 1 from pg_tables where schemaname = 'public'";
  expect(await query(database.url, tables)).toEqual([]);
  await database.drop();
});
