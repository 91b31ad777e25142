import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TcpLink } from '../../../../test/support/tcp-link.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { freePort } from '../../../../tools/shared/free-port.mjs';
import { silentLogger } from '../kernel/logger.js';
import { Database } from './database.js';

let testDatabase: TestDatabase;
let database: Database;
let warnings: object[];

beforeAll(async () => {
  testDatabase = await createTestDatabase({ migrated: false });
});

afterEach(() => database.close());
afterAll(() => testDatabase.drop());

/** The address of the test database with these hosts in place of its own. */
function listOf(hosts: readonly string[], query = ''): string {
  const { username, pathname } = new URL(testDatabase.url);
  return `postgres://${username}@${hosts.join(',')}${pathname}${query}`;
}

const liveHost = (): string => new URL(testDatabase.url).host;
const deadHost = async (): Promise<string> => `127.0.0.1:${await freePort()}`;

function open(url: string): void {
  warnings = [];
  const logger = { ...silentLogger, warn: (details: object) => void warnings.push(details) };
  database = new Database({ url, poolMax: 3, preparedStatements: true, logger });
}

const ask = () => database.run((knex) => knex.select(knex.raw('1 as one')).first<{ one: number }>());

describe('an address with several hosts', () => {
  it('several hosts: one that cannot be reached is passed over by all who wait for a connection', async () => {
    open(listOf([await deadHost(), liveHost()]));
    const answers = await Promise.all(Array.from({ length: 9 }, ask));
    expect(answers).toEqual(Array.from({ length: 9 }, () => ({ one: 1 })));
  });

  it('several hosts: if none can be reached, the request fails with service_unavailable', async () => {
    open(listOf([await deadHost(), await deadHost()]));
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('several hosts: connections follow the one that answers, and each change is logged without a password', async () => {
    const [first, second] = [await TcpLink.to(testDatabase.url), await TcpLink.to(testDatabase.url)];
    const hosts = [first, second].map((link) => new URL(link.by(testDatabase.url)).host);
    open(listOf(hosts));
    await ask();
    expect(warnings).toEqual([]);
    first.cut();
    // The connections that were cut fail first.
    while ((await ask().catch(() => undefined)) === undefined);
    expect(warnings).toContainEqual({ host: hosts[1], formerHost: hosts[0] });
    first.fix();
    second.cut();
    while ((await ask().catch(() => undefined)) === undefined);
    expect(warnings).toContainEqual({ host: hosts[0], formerHost: hosts[1] });
    await database.close();
    await Promise.all([first.close(), second.close()]);
  });

  it('several hosts: a server that answers but is wrong in another way is not asked again and again', async () => {
    const list = listOf([liveHost(), liveHost()]);
    open(list.replace(/\/[^/]*$/, '/no_such_database'));
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable', cause: { code: '3D000' } });
  });
});

describe('a server that accepts no writes', () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    const { pathname } = new URL(testDatabase.url);
    const admin = new Database({ url: testDatabase.url, poolMax: 1, preparedStatements: false });
    await admin.withConnection(async (connection) => {
      await connection.query('set default_transaction_read_only = off');
      await connection.query(
        `alter database "${pathname.slice(1)}" set default_transaction_read_only = ${value}`,
      );
    });
    await admin.close();
  };

  beforeAll(() => setReadOnly('on'));
  afterAll(() => setReadOnly('off'));

  it.each(['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])(
    'a read-only server is refused in a list of hosts: %s',
    async (query) => {
      open(listOf([liveHost(), await deadHost()], query));
      await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
    },
  );

  it('a read-only server is used by target_session_attrs=any, by a reading database and as the only host', async () => {
    const list = listOf([await deadHost(), liveHost()]);
    open(`${list}?target_session_attrs=any`);
    expect(await ask()).toEqual({ one: 1 });
    await database.close();
    database = new Database({ url: list, poolMax: 1, preparedStatements: false, readOnly: true });
    expect(await ask()).toEqual({ one: 1 });
    await database.close();
    open(testDatabase.url);
    expect(await database.ping(5_000)).toEqual({ isReadOnly: true });
  });
});
