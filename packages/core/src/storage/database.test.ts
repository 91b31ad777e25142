import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { freePort } from '../../../../tools/shared/free-port.mjs';
import { AuthError } from '../kernel/auth-error.js';
import { databaseErrorCode, violatedConstraint } from './database-error.js';
import { Database, idBatch, statement, type DatabaseOptions } from './database.js';
import { DEADLINES } from './deadlines.js';
import { toCount } from './postgres-types.js';

let testDatabase: TestDatabase;
let database: Database;

const open = (options: Partial<DatabaseOptions> = {}) =>
  new Database({ url: testDatabase.url, poolMax: 4, preparedStatements: true, ...options });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('did not fail'),
    (error: unknown) => error,
  );

beforeAll(async () => {
  testDatabase = await createTestDatabase({ migrated: false });
  database = open();
  await database.run((knex) =>
    knex.raw(`
      create table parents (id int primary key, name text constraint parents_name_key unique check (name <> ''));
      create table children (id int primary key, parent_id int not null references parents (id));
      create table counters (id int primary key, value int not null);
      insert into counters values (1, 0), (2, 0);`),
  );
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe('a close', () => {
  it('waits for a statement of knex that is under way, and ends', async () => {
    const closed = open();
    await closed.run((knex) => knex.raw('select 1'));
    const late = closed.run((knex) => knex.raw<{ rows: unknown[] }>('select pg_sleep(0.2), 7 as seven'));
    await sleep(50);
    await closed.close();
    expect((await late).rows).toMatchObject([{ seven: 7 }]);
  });
});

describe('values', () => {
  it('64-bit integers and decimals are returned as text, times as Date', async () => {
    const [row] = await database.query<Record<string, unknown>>(
      statement(
        'all_types',
        "select 9007199254740993::int8 as big, 1.10::numeric as decimal, '2026-11-20 12:00:00.123456+00'::timestamptz as at",
      ),
      [],
    );
    expect(row).toEqual({
      big: '9007199254740993',
      decimal: '1.10',
      at: new Date('2026-11-20T12:00:00.123Z'),
    });
  });

  it('counts of rows are numbers', async () => {
    const row = await database.run((knex) => knex('counters').count({ total: '*' }).first());
    expect(toCount(row?.total)).toBe(2);
    expect(toCount(undefined)).toBe(0);
  });
});

describe('hot statements', () => {
  const answer = statement('answer', 'select $1::int as answer');
  const preparedNames = statement('prepared_names', 'select name from pg_prepared_statements order by name');

  it('hot statements are prepared once per connection', async () => {
    const single = open({ poolMax: 1 });
    await single.query(answer, [1]);
    expect(await single.query(answer, [42])).toEqual([{ answer: 42 }]);
    expect(await single.query(preparedNames, [])).toEqual(
      [answer, preparedNames].map(({ preparedName: name }) => ({ name })),
    );
    await single.close();
  });

  it('the name of a prepared statement has a digest of its text: a connection that another version has used runs no former text', async () => {
    const single = open({ poolMax: 1 });
    const former = statement('versioned', 'select $1::int as former');
    const latter = statement('versioned', 'select $1::int + 1 as latter');
    expect(former.preparedName).toMatch(/^versioned_[0-9a-f]{12}$/);
    expect(statement('versioned', former.text)).toEqual(former);
    expect(await single.query(former, [1])).toEqual([{ former: 1 }]);
    expect(await single.query(latter, [1])).toEqual([{ latter: 2 }]);
    expect(await single.query(preparedNames, [])).toEqual(
      expect.arrayContaining([former, latter].map(({ preparedName: name }) => ({ name }))),
    );
    await single.close();
  });

  it('hot statements are not prepared if preparedStatements is false', async () => {
    const single = open({ poolMax: 1, preparedStatements: false });
    expect(await single.query(answer, [42])).toEqual([{ answer: 42 }]);
    expect(await single.query(preparedNames, [])).toEqual([]);
    await single.close();
  });

  it('hot statements succeed after the server has lost them, as behind a pooler', async () => {
    const single = open({ poolMax: 1 });
    await single.query(answer, [1]);
    await single.run((knex) => knex.raw('deallocate all'));
    expect(await single.query(answer, [2])).toEqual([{ answer: 2 }]);
    expect(await single.query(answer, [3])).toEqual([{ answer: 3 }]);
    await single.close();
  });

  it('hot statements of a read-only database are prepared, too, and succeed after the server has lost them', async () => {
    const single = open({ poolMax: 1, readOnly: true });
    await single.query(answer, [1]);
    expect(await single.query(preparedNames, [])).toEqual(
      [answer, preparedNames].map(({ preparedName: name }) => ({ name })),
    );
    await single.run((knex) => knex.raw('deallocate all'));
    expect(await single.query(answer, [2])).toEqual([{ answer: 2 }]);
    await single.close();
  });

  it('hot statements succeed after a migration has changed one of their columns', async () => {
    const single = open({ poolMax: 1 });
    const all = statement('all_of_changing', 'select * from changing');
    await single.run((knex) => knex.raw('create table changing as select 1 as id'));
    await single.query(all, []);
    await single.run((knex) => knex.raw('alter table changing add column name text'));
    expect(await single.query(all, [])).toEqual([{ id: 1, name: null }]);
    await single.close();
  });

  it('hot statements of a transaction are prepared, too', async () => {
    const single = open({ poolMax: 1 });
    await single.transaction((trx) => single.query(answer, [1], trx));
    expect(await single.query(preparedNames, [])).toEqual(
      [answer, preparedNames].map(({ preparedName: name }) => ({ name })),
    );
    await single.close();
  });

  it('a transaction runs once more, as a whole, after the server has lost a prepared statement', async () => {
    const single = open({ poolMax: 1 });
    await single.run((knex) => knex.raw('create table written (value int)'));
    await single.query(answer, [1]);
    await single.run((knex) => knex.raw('deallocate all'));
    const followed: string[] = [];
    const answered = await single.transaction(async (trx) => {
      await trx('written').insert({ value: 1 });
      single.afterCommit(trx, () => void followed.push('committed'));
      return single.query(answer, [2], trx);
    });
    expect(answered).toEqual([{ answer: 2 }]);
    expect(await single.run((knex) => knex('written').select('value'))).toEqual([{ value: 1 }]);
    expect(followed).toEqual(['committed']);
    expect(await single.transaction((trx) => single.query(answer, [3], trx))).toEqual([{ answer: 3 }]);
    await single.close();
  });

  it('hot statements keep one plan for batches of ids, though each batch is small', async () => {
    const single = open({ poolMax: 1 });
    await single.run((knex) => knex.raw('create table batched (id uuid primary key)'));
    await single.run((knex) =>
      knex.raw('insert into batched select gen_random_uuid() from generate_series(1, 5000)'),
    );
    await single.run((knex) => knex.raw('analyze batched'));
    const matched = statement('batch_matched', `select id from batched where id = any(${idBatch('$1')})`);
    const joined = statement(
      'batch_joined',
      `select b.id from unnest(${idBatch('$1')}) as u (id) join batched b using (id)`,
    );
    for (const batch of [matched, joined]) {
      for (let run = 1; run <= 6; run++) await single.query(batch, [[randomUUID()]]);
    }
    const plans = statement(
      'plans',
      "select generic_plans as kept from pg_prepared_statements where name like 'batch%'",
    );
    expect(await single.query(plans, [])).toEqual([{ kept: '1' }, { kept: '1' }]);
    await single.close();
  });

  it('names of hot statements are short enough for PostgreSQL', () => {
    expect(() => statement('x'.repeat(64), 'select 1')).toThrow(TypeError);
    expect(() => statement('Find User', 'select 1')).toThrow(TypeError);
  });

  it('queryOnConnection reads the values only when it holds a connection', async () => {
    const single = open({ poolMax: 1 });
    const busy = single.run((knex) => knex.raw('select pg_sleep(1)'));
    await sleep(50);
    let asked = false;
    const measured = single.queryOnConnection(answer, () => {
      asked = true;
      return [1];
    });
    await sleep(50);
    expect(asked).toBe(false);
    await busy;
    expect(await measured).toEqual([{ answer: 1 }]);
    expect(asked).toBe(true);
    await single.close();
  });
});

describe('errors', () => {
  const insertParent = (id: number, name: string | null) =>
    database.run((knex) => knex('parents').insert({ id, name }));

  it('a violated unique constraint is a conflict that names the constraint to the repository only', async () => {
    await insertParent(1, 'one');
    const error = await failureOf(insertParent(2, 'one'));
    expect(error).toMatchObject({ code: 'conflict' });
    expect(violatedConstraint(error)).toBe('parents_name_key');
    expect((error as AuthError).message).not.toContain('parents');
  });

  it('a violated foreign key is not_found for the child and a conflict for the parent', async () => {
    await insertParent(10, 'ten');
    const insertChild = (parent_id: number) =>
      database.run((knex) => knex('children').insert({ id: parent_id, parent_id }));
    expect(await failureOf(insertChild(99))).toMatchObject({ code: 'not_found' });
    await insertChild(10);
    const removal = database.run((knex) => knex('parents').where({ id: 10 }).delete());
    expect(await failureOf(removal)).toMatchObject({ code: 'conflict' });
  });

  it.each([
    ['NUL in text', 'select $1::text', ['a\0b']],
    ['no UUID', 'select $1::uuid', ['x']],
    ['a number out of range', 'select $1::int', ['2147483648']],
    ['NUL in JSON', 'select $1::jsonb', ['"\\u0000"']],
    ['a time out of range', 'select $1::timestamptz', ['2026-02-30']],
  ])('%s is a validation error', async (title, text, values) => {
    expect(await failureOf(database.query({ name: title, preparedName: title, text }, values))).toMatchObject(
      {
        code: 'validation_error',
      },
    );
  });

  it('a violated check constraint is a validation error', async () => {
    expect(await failureOf(insertParent(3, ''))).toMatchObject({ code: 'validation_error' });
  });

  it('errors quote no row, whichever way a statement is sent and however deep they are nested', async () => {
    const insert = `insert into parents values (77, null), (1, 'row of a secret'), (1, 'row of a secret')`;
    const refused = [
      database.run((knex) => knex.raw(insert)),
      database.query(statement('quoting_insert', insert), []),
      database.transaction((trx) => trx.raw(insert).then(() => undefined)),
      database.transaction((trx) => database.query(statement('quoting_insert', insert), [], trx)),
      database.withConnection((connection) => connection.query(insert)),
      database.run(async (knex) => {
        const cause: unknown = await failureOf(Promise.resolve(knex.raw(insert)));
        throw new AggregateError([new Error('outer', { cause })], 'several');
      }),
    ];
    for (const error of await Promise.all(refused.map(failureOf))) {
      expect(inspect(error, { depth: null, showHidden: true })).toMatch(/parents_pkey/);
      expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/Key \(id\)|Failing row/);
    }
  });

  it('errors of wrong SQL are thrown unchanged but without the values', async () => {
    const error = await failureOf(database.run((knex) => knex.raw('select ? from nowhere', ['secret'])));
    expect(error).not.toBeInstanceOf(AuthError);
    expect(databaseErrorCode(error)).toBe('42P01');
    expect(String(error)).not.toContain('secret');
  });

  it('a refused connection is service_unavailable', async () => {
    const unreachable = open({ url: `postgres://unknown@127.0.0.1:${await freePort()}/nothing` });
    const attempts = [
      () => unreachable.query(statement('one', 'select 1'), []),
      () => unreachable.run((knex) => knex.raw('select 1')),
      () => unreachable.transaction((trx) => trx.raw('select 1').then(() => undefined)),
      () => unreachable.ping(1_000),
    ];
    for (const attempt of attempts) {
      expect(await failureOf(attempt())).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 });
    }
    await unreachable.close();
  });

  it('a missing database is service_unavailable', async () => {
    const url = new URL(testDatabase.url);
    url.pathname = '/no_such_database';
    const unreachable = open({ url: url.href });
    expect(await failureOf(unreachable.ping(1_000))).toMatchObject({ code: 'service_unavailable' });
    await unreachable.close();
  });

  it('a statement that takes too long is service_unavailable, and the connection is kept', async () => {
    const single = open({ poolMax: 1 });
    const [before] = await single.query<{ pid: number }>(BACKEND, []);
    const slow = single.transaction(async (trx) => {
      await trx.raw('set local statement_timeout = 50');
      await trx.raw('select pg_sleep(5)');
    });
    expect(await failureOf(slow)).toMatchObject({ code: 'service_unavailable' });
    expect(await single.query(BACKEND, [])).toEqual([before]);
    await single.close();
  });

  it('a lock that is held too long is service_unavailable', async () => {
    await database.transaction(async (holder) => {
      await holder.raw('select 1 from counters where id = 1 for update');
      const waiter = database.transaction(async (trx) => {
        await trx.raw('set local lock_timeout = 50');
        await trx.raw('select 1 from counters where id = 1 for update');
      });
      expect(await failureOf(waiter)).toMatchObject({ code: 'service_unavailable' });
    });
  });

  it('an exhausted pool is service_unavailable', async () => {
    const single = open({ poolMax: 1 });
    const holder = single.transaction(async () => sleep(2_300));
    expect(await failureOf(single.run((knex) => knex.raw('select 1')))).toMatchObject({
      code: 'service_unavailable',
    });
    await holder;
    await single.close();
  });
});

const BACKEND = statement('backend', 'select pg_backend_pid() as pid');

describe('broken connections', () => {
  const terminate = (pid: number) =>
    database.run((knex) => knex.raw('select pg_terminate_backend(?)', [pid]));

  it('broken idle connections are replaced', async () => {
    const single = open({ poolMax: 1 });
    const [first] = await single.query<{ pid: number }>(BACKEND, []);
    await terminate(first!.pid);
    await sleep(50);
    const [second] = await single.query<{ pid: number }>(BACKEND, []);
    expect(second!.pid).not.toBe(first!.pid);
    await single.close();
  });

  it.each([
    ['a knex query', (single: Database) => single.run((knex) => knex.raw('select pg_sleep(5)'))],
    ['a hot statement', (single: Database) => single.query(statement('nap', 'select pg_sleep(5)'), [])],
    [
      'a transaction',
      (single: Database) =>
        single.transaction(async (trx) => {
          await trx.raw('select pg_sleep(5)');
        }),
    ],
  ])(
    'a connection that breaks in the middle of %s is service_unavailable once, and replaced',
    async (_title, work) => {
      const single = open({ poolMax: 1 });
      const [first] = await single.query<{ pid: number }>(BACKEND, []);
      const broken = failureOf(work(single));
      await sleep(100);
      await terminate(first!.pid);
      expect(await broken).toMatchObject({ code: 'service_unavailable' });
      expect(await single.query(BACKEND, [])).not.toEqual([first]);
      await single.close();
    },
  );

  it('a connection that breaks in an idle transaction does not end the process', async () => {
    const single = open({ poolMax: 1 });
    const work = single.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
      await terminate(rows[0]!.pid);
      await sleep(50);
      await trx.raw('select 1');
    });
    expect(await failureOf(work)).toMatchObject({ code: 'service_unavailable' });
    expect(await single.query(BACKEND, [])).toHaveLength(1);
    await single.close();
  });

  it('a connection that is busy with an abandoned statement is not used again', async () => {
    const { reply } = DEADLINES;
    onTestFinished(() => void Object.assign(DEADLINES, { reply }));
    Object.assign(DEADLINES, { reply: 200 });
    const single = open({ poolMax: 1 });
    const [first] = await single.query<{ pid: number }>(BACKEND, []);
    const slow = single.run((knex) => knex.raw('select pg_sleep(3)'));
    expect(await failureOf(slow)).toMatchObject({ code: 'service_unavailable' });
    expect(await single.query(BACKEND, [])).not.toEqual([first]);
    const slowTransaction = single.transaction(async (trx) => {
      await trx.raw('select pg_sleep(3)');
    });
    expect(await failureOf(slowTransaction)).toMatchObject({ code: 'service_unavailable' });
    expect(await single.query(BACKEND, [])).toHaveLength(1);
    await single.close();
  });
});

describe('transactions', () => {
  const valueOf = async (id: number) => {
    const row = await database.run((knex) =>
      knex<{ id: number; value: number }>('counters').where({ id }).first(),
    );
    return row?.value;
  };

  it('transactions are READ COMMITTED whatever the default of the database is', async () => {
    const single = open({ poolMax: 1 });
    await single.run((knex) => knex.raw("set default_transaction_isolation = 'serializable'"));
    const level = await single.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: object[] }>('show transaction_isolation');
      return rows;
    });
    expect(level).toEqual([{ transaction_isolation: 'read committed' }]);
    await single.close();
  });

  it('a transaction rolls back if the work throws, and throws the same error', async () => {
    const mistake = new Error('on purpose');
    const work = database.transaction(async (trx) => {
      await trx('counters').where({ id: 1 }).update({ value: 99 });
      throw mistake;
    });
    expect(await failureOf(work)).toBe(mistake);
    expect(await valueOf(1)).not.toBe(99);
  });

  it('a transaction includes the queries of run', async () => {
    const work = database.transaction(async (trx) => {
      await database.run((knex) => knex('counters').where({ id: 1 }).update({ value: 98 }), trx);
      throw new Error('on purpose');
    });
    await failureOf(work);
    expect(await valueOf(1)).not.toBe(98);
  });

  it('two transactions that deadlock both succeed after a retry', async () => {
    let runs = 0;
    const before = { 1: (await valueOf(1))!, 2: (await valueOf(2))! };
    let arrive = (): void => undefined;
    const bothHold = new Promise<void>((resolve) => {
      let arrived = 0;
      arrive = () => ++arrived === 2 && resolve();
    });
    const add = (first: number, second: number) =>
      database.transaction(async (trx) => {
        runs += 1;
        await database.run((knex) => knex('counters').where({ id: first }).increment('value', 1), trx);
        arrive();
        await bothHold;
        await database.run((knex) => knex('counters').where({ id: second }).increment('value', 1), trx);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(runs).toBe(3);
    expect([await valueOf(1), await valueOf(2)]).toEqual([before[1] + 2, before[2] + 2]);
  });

  it('a transaction fails with service_unavailable after three deadlocks', async () => {
    let runs = 0;
    const work = database.transaction(async (trx) => {
      runs += 1;
      await trx.raw("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    });
    expect(await failureOf(work)).toMatchObject({ code: 'service_unavailable' });
    expect(runs).toBe(3);
  });

  it('a transaction fails if its work swallowed the error of a statement, instead of losing its writes', async () => {
    const work = database.transaction(async (trx) => {
      await trx('counters').where({ id: 1 }).update({ value: 97 });
      await failureOf(database.run((knex) => knex.raw('select 1 / 0'), trx));
    });
    expect(String(await failureOf(work))).toContain('cannot commit');
    expect(await valueOf(1)).not.toBe(97);
  });
});

describe('a single statement', () => {
  // A sequence counts on although the statement is rolled back.
  const failing = async (code: string, times: number): Promise<string> => {
    const name = `attempts_${code.toLowerCase()}_${times}_${Math.random().toString(36).slice(2)}`;
    await database.run((knex) =>
      knex.raw(
        `create sequence ${name};
         create function ${name}() returns int language plpgsql as $$
         declare attempt int := nextval('${name}');
         begin
           if attempt <= ${times} then raise exception 'again' using errcode = '${code}'; end if;
           return attempt;
         end $$`,
      ),
    );
    return name;
  };
  const ways: [string, (name: string) => Promise<unknown[]>][] = [
    [
      'a hot statement',
      (name) => database.query(statement(`run_${name}`, `select ${name}() as attempt`), []),
    ],
    ['a knex query', (name) => database.run((knex) => knex.select(knex.raw(`${name}() as attempt`)))],
  ];

  it.each(ways.flatMap(([what, run]) => ['40P01', '40001'].map((code) => [what, code, run] as const)))(
    '%s is retried after the error %s',
    async (_what, code, run) => {
      expect(await run(await failing(code, 2))).toEqual([{ attempt: 3 }]);
    },
  );

  it.each(ways)('%s fails with service_unavailable after three attempts', async (_what, run) => {
    const name = await failing('40P01', 3);
    expect(await failureOf(run(name))).toMatchObject({ code: 'service_unavailable' });
    expect(await run(name)).toEqual([{ attempt: 4 }]);
  });
});

describe('a read-only database', () => {
  it('a read-only database reads in every way and writes in none', async () => {
    const reader = open({ readOnly: true });
    const insert = statement('sneak', 'insert into counters values (3, 0) returning id');
    expect(
      await reader.query(statement('first_counter', 'select id from counters where id = $1'), [1]),
    ).toEqual([{ id: 1 }]);
    expect(await reader.run((knex) => knex('counters').where({ id: 1 }).pluck('id'))).toEqual([1]);
    const writes = [
      () => reader.query(insert, []),
      () => reader.run((knex) => knex('counters').insert({ id: 3, value: 0 })),
      () => reader.transaction((trx) => trx('counters').insert({ id: 3, value: 0 }).then()),
    ];
    for (const write of writes) {
      const error = await failureOf(write());
      expect(error).toMatchObject({ code: 'service_unavailable' });
      expect(databaseErrorCode(error)).toBe('25006');
    }
    await reader.close();
  });
});

describe('closing', () => {
  it('a database may be closed twice and rejects later statements as service_unavailable', async () => {
    const short = open();
    await short.ping(1_000);
    await Promise.all([short.close(), short.close()]);
    expect(await failureOf(short.ping(1_000))).toMatchObject({ code: 'service_unavailable' });
    expect(await failureOf(short.run((knex) => knex.raw('select 1')))).toMatchObject({
      code: 'service_unavailable',
    });
  });
});
