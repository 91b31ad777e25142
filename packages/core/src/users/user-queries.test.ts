import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { silentLogger } from '../kernel/logger.js';
import { Database } from '../storage/database.js';
import { Migrator } from '../storage/migrator.js';
import { resolveMigrationsDirectory } from '../storage/resolve-migrations-path.js';
import { UserQueries } from './user-queries.js';

const open = (url: string): Database => new Database({ url, poolMax: 2, preparedStatements: false });

const USERS = [
  ['zoe@example.com', 'Zoë Müller'],
  ['ozgur@example.com', 'ÖZGÜR (Öz) 50%'],
  ['joao@example.com', 'João'.normalize('NFD')],
  ['ida@xn--bcher-kva.example', 'Ida'],
  ['ana@example.com', 'Ana-Luisa'],
] as const;

describe.each(['C', 'C.UTF-8'])('a search in a database of the character type %s', (locale) => {
  const server = open(inject('postgres').url);
  const name = `search_${randomBytes(5).toString('hex')}`;
  let database: Database;
  let queries: UserQueries;

  beforeAll(async () => {
    await server.withConnection((connection) =>
      connection.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE '${locale}'`),
    );
    const url = new URL(inject('postgres').url);
    url.pathname = `/${name}`;
    database = open(url.href);
    queries = new UserQueries(database);
    await new Migrator(database, resolveMigrationsDirectory('migrations'), silentLogger).up();
    await database.withConnection(async (connection) => {
      const insert = `INSERT INTO users (id, email, full_name, auth_provider) VALUES (gen_random_uuid(), $1, $2, 'password')`;
      for (const user of USERS) await connection.query(insert, [...user]);
    });
  });

  afterAll(async () => {
    await database.close();
    await server.withConnection((connection) => connection.query(`DROP DATABASE ${name} WITH (FORCE)`));
    await server.close();
  });

  it.each([
    ['zoë', 'zoe@example.com'],
    ['ZOË', 'zoe@example.com'],
    ['MÜLLER', 'zoe@example.com'],
    ['ë m', 'zoe@example.com'],
    ['zoë'.normalize('NFD'), 'zoe@example.com'],
    ['özgür', 'ozgur@example.com'],
    ['(öz) 50%', 'ozgur@example.com'],
    ['JOÃO', 'joao@example.com'],
    ['ida@bücher.example', 'ida@xn--bcher-kva.example'],
    ['IDA@BÜCHER', 'ida@xn--bcher-kva.example'],
    ['ida@xn--b', 'ida@xn--bcher-kva.example'],
    ['.*ë', undefined],
    ['ö_', undefined],
    ['mü', 'zoe@example.com'],
    ['ül', undefined],
    ['ÖZ', 'ozgur@example.com'],
    ['50', 'ozgur@example.com'],
    ['0%', undefined],
    ['j', 'joao@example.com'],
    ['da', undefined],
    ['lui', 'ana@example.com'],
    ['uis', 'ana@example.com'],
    ['lu', 'ana@example.com'],
    ['ui', undefined],
  ])('the search for %s finds %s', async (search, email) => {
    const { items } = await queries.list({ search }, { limit: 10, offset: 0 });
    expect(items.map((user) => user.email)).toEqual(email === undefined ? [] : [email]);
  });

  it('a prefix in the spelling of a person finds an international address', async () => {
    const [user] = await queries.findByPrefix('ida@bücher', 2);
    expect(user?.email).toBe('ida@xn--bcher-kva.example');
  });
});
