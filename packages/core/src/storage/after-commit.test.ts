import { setTimeout as sleep } from 'node:timers/promises';
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

it('work after a commit runs in the order of its registration, before the caller continues', async () => {
  await database.transaction(async (trx) => {
    database.afterCommit(trx, note('first'));
    await trx('notes').insert({ id: 1 });
    database.afterCommit(trx, note('second'));
    expect(done).toEqual([]);
  });
  expect(done).toEqual(['first', 'second']);
});

it('work after a commit sees the committed change and the only connection of the pool free', async () => {
  let seen: Promise<unknown> | undefined;
  await database.transaction(async (trx) => {
    await trx('notes').insert({ id: 1 });
    database.afterCommit(trx, () => {
      seen = database.query(COUNT, []);
    });
  });
  expect(await seen).toEqual([{ count: 1 }]);
});

it('the transaction resolves when the work after it has ended', async () => {
  await database.transaction((trx) => {
    database.afterCommit(trx, async () => {
      await sleep(20);
      note('ended')();
    });
    return Promise.resolve();
  });
  expect(done).toEqual(['ended']);
});

it('work that fails changes nothing for the caller, and the work beside it runs', async () => {
  let runs = 0;
  const result = await database.transaction(async (trx) => {
    runs += 1;
    await trx('notes').insert({ id: 1 });
    database.afterCommit(trx, () => {
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    database.afterCommit(trx, note('beside'));
    return 'written';
  });
  expect([result, runs, done]).toEqual(['written', 1, ['beside']]);
  expect(await database.query(COUNT, [])).toEqual([{ count: 1 }]);
});

it('without a transaction the work runs at once', () => {
  database.afterCommit(undefined, note('at once'));
  expect(done).toEqual(['at once']);
});

it('no work runs after a rollback', async () => {
  const failing = database.transaction((trx) => {
    database.afterCommit(trx, note('never'));
    throw new Error('something later went wrong');
  });
  await expect(failing).rejects.toThrow('something later');
  expect(done).toEqual([]);
});

it('no work runs after a COMMIT that the database rejects', async () => {
  const failing = database.transaction(async (trx) => {
    await trx('notes').insert([{ id: 1 }, { id: 1 }]);
    database.afterCommit(trx, note('never'));
  });
  await expect(failing).rejects.toMatchObject({ code: 'conflict' });
  expect(done).toEqual([]);
});

it('no work runs after a transaction whose connection is lost before its COMMIT', async () => {
  const failing = database.transaction(async (trx) => {
    database.afterCommit(trx, note('never'));
    await trx.raw('SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(failing).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(done).toEqual([]);
});

it.each(['40001', '40P01'])(
  'only the last run counts of a transaction that is retried after %s',
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

it('afterCommit rejects a transaction of another database', async () => {
  const other = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: true });
  await other.transaction((trx) => {
    expect(() => {
      database.afterCommit(trx, note('never'));
    }).toThrow(TypeError);
    return Promise.resolve();
  });
  await other.close();
});
