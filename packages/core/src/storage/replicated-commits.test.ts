import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresPair } from '../../../../test/support/postgres-pair.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { Database, statement } from './database.js';

let pair: PostgresPair;
let database: Database;

beforeAll(async () => {
  pair = await PostgresPair.start();
  await pair.primary.sql('create table notes (text text)');
  database = new Database({ url: pair.primary.url, poolMax: 2, preparedStatements: true });
  await database.ping(2_000);
  // The name of a standby that does not exist: commits wait until their deadline.
  await pair.primary.sql("alter system set synchronous_standby_names = 'missing'");
  await pair.primary.sql('select pg_reload_conf()');
  await waitUntil(commitWaits, { what: 'the reloaded settings' });
});

afterAll(async () => {
  await database.close();
  await pair.stop();
});

/** Reports whether a commit waits for the standby yet: the server reads its settings some time after the reload is requested. */
async function commitWaits(): Promise<boolean> {
  let committed = false;
  const write = pair.primary.sql("insert into notes values ('probe')").then(() => (committed = true));
  let waited = false;
  await waitUntil(
    async () => {
      waited = (await cancelWaiting()).length > 0;
      return waited || committed;
    },
    { what: 'a commit' },
  );
  await write;
  return waited;
}

const unknown = { code: 'service_unavailable', cause: { name: 'UnreplicatedCommitError' } };

const cancelWaiting = () =>
  pair.primary.sql("select pg_cancel_backend(pid) as ok from pg_stat_activity where wait_event = 'SyncRep'");

/** Cancels the commit that waits for a standby, as an administrator does whose commits hang. */
async function cancelWaitingCommit(): Promise<void> {
  await waitUntil(async () => (await cancelWaiting()).length > 0, { what: 'a waiting commit' });
}

it('a statement whose wait for a standby is cancelled is not acknowledged', async () => {
  const insert = statement('insert_note', 'insert into notes values ($1)');
  const write = expect(database.query(insert, ['single'])).rejects.toMatchObject(unknown);
  await cancelWaitingCommit();
  await write;
});

it('a transaction whose wait for a standby is cancelled is not acknowledged, and nothing follows it', async () => {
  let followed = false;
  const work = database.transaction(async (trx) => {
    database.afterCommit(trx, () => {
      followed = true;
    });
    await trx('notes').insert({ text: 'transaction' });
  });
  const write = expect(work).rejects.toMatchObject(unknown);
  await cancelWaitingCommit();
  await write;
  expect(followed).toBe(false);
});

it('a commit that waits for a standby is given up in time without an acknowledgement', async () => {
  const insert = statement('insert_note', 'insert into notes values ($1)');
  await expect(database.query(insert, ['late'])).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await database.ping(2_000)).toEqual({ isReadOnly: false });
  expect(database.connections).toMatchObject({ lent: 0, waiting: 0 });
});
