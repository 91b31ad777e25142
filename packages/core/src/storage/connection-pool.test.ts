import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { Database, statement } from './database.js';

/**
 * The two reactions of PgBouncer to an unknown startup parameter: it refuses the connection, or drops the
 * parameter.
 */
type ParameterRule = 'refuse' | 'drop';

interface Pooler {
  url: string;
  refusals: number;
  close(): Promise<void>;
}

const DEADLINE_PARAMETERS =
  /(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|options)\0[^\0]*\0/g;

let testDatabase: TestDatabase;
let pooler: Pooler;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ migrated: false });
});

afterEach(async () => {
  await pooler.close();
});

afterAll(async () => {
  await testDatabase.drop();
});

const timeoutNow = statement('timeout_now', "select current_setting('statement_timeout') as value");

describe('deadlines behind a pooler', () => {
  it.each(['refuse', 'drop'] as const)(
    'each transaction sets the deadlines if the pooler does %s startup parameters',
    async (rule) => {
      pooler = await startPooler(testDatabase.url, rule);
      const database = new Database({ url: pooler.url, poolMax: 3, preparedStatements: true });
      const rows = await Promise.all([1, 2, 3].map(() => database.query(timeoutNow, [])));
      expect(rows.flat()).toEqual([{ value: '0' }, { value: '0' }, { value: '0' }]);
      const inside = await database.transaction(async (trx) => {
        const { rows: settings } = await trx.raw<{ rows: object[] }>(
          "select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l, " +
            "current_setting('idle_in_transaction_session_timeout') as i",
        );
        return settings;
      });
      expect(inside).toEqual([{ s: '4s', l: '3s', i: '10s' }]);
      expect(pooler.refusals > 0).toBe(rule === 'refuse');
      await database.close();
    },
  );

  it('a read-only database stays read-only if the pooler drops the deadlines', async () => {
    pooler = await startPooler(testDatabase.url, 'refuse');
    const database = new Database({ url: pooler.url, poolMax: 1, preparedStatements: true, readOnly: true });
    await expect(
      database.query(statement('create_table', 'create table sneaked ()'), []),
    ).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await database.close();
  });
});

describe('deadlines on a direct connection', () => {
  it('the deadlines of a direct connection apply to every statement', async () => {
    pooler = await startPooler(testDatabase.url, undefined);
    const database = new Database({ url: pooler.url, poolMax: 1, preparedStatements: true });
    expect(await database.query(timeoutNow, [])).toEqual([{ value: '4s' }]);
    await database.close();
  });
});

/** Starts a proxy between the client and PostgreSQL that treats the startup message as PgBouncer would. */
async function startPooler(databaseUrl: string, rule: ParameterRule | undefined): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.once('data', (startup) => {
      const parameters = startup.toString('latin1');
      if (rule === 'refuse' && parameters.includes('statement_timeout')) {
        state.refusals += 1;
        client.end(errorResponse('08P01', 'unsupported startup parameter: statement_timeout'));
        return;
      }
      const upstream = net.connect(Number(target.port), target.hostname);
      upstream.on('error', () => client.destroy());
      upstream.write(rule === 'drop' ? withoutDeadlines(startup) : startup);
      client.pipe(upstream).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const state: Pooler = {
    url: url.href,
    refusals: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return state;
}

/**
 * Removes the deadlines: length, protocol version, then pairs of zero-terminated texts (PostgreSQL message
 * formats, StartupMessage).
 */
function withoutDeadlines(startup: Buffer): Buffer {
  const parameters = startup.subarray(8).toString('latin1').replaceAll(DEADLINE_PARAMETERS, '');
  const body = Buffer.concat([startup.subarray(4, 8), Buffer.from(parameters, 'latin1')]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
