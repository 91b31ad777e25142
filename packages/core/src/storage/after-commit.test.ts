import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { Database, statement } from './database.js';

let testDatabase: TestDatabase;
let database: Database;
let done: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: true });
  await database.run((knex) =>
    knex.raw('CREATE TABLE notes (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)'),
  );
});
beforeEach(async () => {
  done = [];
  await database.run((knex) => knex('notes').delete());
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const COUNT = statement('test_count_notes', 'SELECT count(*)::int AS count FROM notes');
const note = (text: string) => () => void done.push(text);

it('what follows a commit runs in the order it was asked for, before the caller goes on', async () => {
  await database.transaction(async (trx) => {
    database.afterCommit(trx, note('first'));
    await trx('notes').insert({ id: 1 });
    database.afterCommit(trx, note('second'));
    expect(done).toEqual([]);
  });
  expect(done).toEqual(['first', 'second']);
});

it('it finds the change committed and the one connection of the pool free', async () => {
  let seen: Promise<unknown> | undefined;
  await database.transaction(async (trx) => {
    await trx('notes').insert({ id: 1 });
    database.afterCommit(trx, () => {
      seen = database.query(COUNT, []);
    });
  });
  expect(await seen).toEqual([{ count: 1 }]);
});

it('nothing follows a rollback', async () => {
  const failing = database.transaction((trx) => {
    database.afterCommit(trx, note('never'));
    throw new Error('something later went wrong');
  });
  await expect(failing).rejects.toThrow('something later');
  expect(done).toEqual([]);
});

it('nothing follows a COMMIT that the database refuses', async () => {
  const failing = database.transaction(async (trx) => {
    await trx('notes').insert([{ id: 1 }, { id: 1 }]);
    database.afterCommit(trx, note('never'));
  });
  await expect(failing).rejects.toMatchObject({ code: 'conflict' });
  expect(done).toEqual([]);
});

it('nothing follows a transaction whose connection is lost before its COMMIT', async () => {
  const failing = database.transaction(async (trx) => {
    database.afterCommit(trx, note('never'));
    await trx.raw('SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(failing).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(done).toEqual([]);
});

it.each(['40001', '40P01'])(
  'of a transaction that runs again after %s only the last run counts',
  async (code) => {
    let runs = 0;
    await database.transaction(async (trx) => {
      runs += 1;
      database.afterCommit(trx, note(`run ${runs}`));
      if (runs < 3) await trx.raw(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END $$`);
    });
    expect(done).toEqual(['run 3']);
  },
);

it('a transaction of another database is refused', async () => {
  const other = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: true });
  await other.transaction((trx) => {
    expect(() => {
      database.afterCommit(trx, note('never'));
    }).toThrow(TypeError);
    return Promise.resolve();
  });
  await other.close();
});
