import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localCertificate } from '../../../../test/support/local-certificate.js';
import { createTestDatabase } from '../../../../test/support/test-database.js';
import { AuthError } from '../kernel/auth-error.js';
import { sessionClient } from './client-config.js';
import { DatabaseFault } from './database-fault.js';
import { Database } from './database.js';

/** Starts a server that answers the question for TLS, and ends the connection after the handshake. */
async function tlsServer(answer: 'S' | 'N', tls?: { key: string; cert: string }): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      socket.write(answer);
      if (!tls) return;
      const secure = new TLSSocket(socket, { ...tls, isServer: true });
      secure.on('error', () => socket.destroy()).once('data', () => secure.destroy());
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://app@localhost:${(server.address() as AddressInfo).port}/auth`;
}

async function failureOf(url: string): Promise<unknown> {
  const database = new Database({ url, poolMax: 1, preparedStatements: true });
  onTestFinished(() => database.close());
  return database
    .run((knex) => knex.raw('select 1'))
    .then(
      () => 'no failure',
      (error: unknown) => error,
    );
}

async function faultOf(url: string): Promise<DatabaseFault> {
  const error = await failureOf(url);
  const cause = AuthError.is(error) && error.code === 'service_unavailable' ? error.cause : undefined;
  if (cause instanceof DatabaseFault) return cause;
  throw new Error(`no fault: ${String(error)}, ${String(cause)}`);
}

describe('TLS to the database', () => {
  it.each(['require', 'verify-ca', 'verify-full'])(
    'sslmode=%s names sslrootcert if the certificate is self-signed',
    async (mode) => {
      const { fix, message } = await faultOf(`${await tlsServer('S', localCertificate())}?sslmode=${mode}`);
      expect(message).toContain('self-signed certificate');
      expect(fix).toContain('set sslrootcert in DATABASE_URL');
    },
  );

  it('a certificate of the authority in sslrootcert is accepted, and any one by no-verify', async () => {
    const certificate = localCertificate();
    const url = await tlsServer('S', certificate);
    const modes = [`verify-full&sslrootcert=${certificate.certFile}`, 'no-verify'];
    for (const mode of modes) {
      const error = await failureOf(`${url}?sslmode=${mode}`);
      expect(error).toMatchObject({ cause: { message: 'Connection terminated unexpectedly' } });
    }
  });

  it('a certificate for another host is reported with the host to correct', async () => {
    const certificate = localCertificate();
    const url = (await tlsServer('S', certificate)).replace('localhost', '127.0.0.1');
    const { fix } = await faultOf(`${url}?sslmode=verify-full&sslrootcert=${certificate.certFile}`);
    expect(fix).toBe('write the host in DATABASE_URL as the certificate names it');
  });

  it('a server without TLS is reported with the parameter to change', async () => {
    const { fix } = await faultOf(`${await tlsServer('N')}?sslmode=require`);
    expect(fix).toBe('turn TLS on at the server, or set sslmode=disable in DATABASE_URL');
  });

  it('a file of certificates that is missing is named', async () => {
    const { message, fix } = await faultOf(
      'postgres://app@localhost/auth?sslmode=verify-full&sslrootcert=/nonexistent.pem',
    );
    expect(message).toBe('the file /nonexistent.pem cannot be read (ENOENT)');
    expect(fix).toContain('correct sslrootcert in DATABASE_URL');
  });
});

describe('a database that does not exist', () => {
  it('a name that the server does not know is reported with what to create or correct', async () => {
    const testDatabase = await createTestDatabase();
    onTestFinished(() => testDatabase.drop());
    const url = new URL(testDatabase.url);
    url.pathname = '/latchkey_misspelt';
    const { message, fix } = await faultOf(url.href);
    expect(message).toContain('database "latchkey_misspelt" does not exist');
    expect(fix).toBe('create that database, or correct its name in DATABASE_URL');
  });
});

describe('an address without a user', () => {
  it('means the account of the operating system, also where the environment has no USER', () => {
    const { user } = pg.defaults;
    onTestFinished(() => void Object.assign(pg.defaults, { user }));
    Object.assign(pg.defaults, { user: undefined });
    const Client = sessionClient({ schema: undefined, sendsAll: true });
    const client = new Client({ host: 'localhost' });
    expect([client.user, client.database]).toEqual([userInfo().username, userInfo().username]);
  });
});

describe('a session of the database', () => {
  it('a session does not depend on formats that the database is set to', async () => {
    const testDatabase = await createTestDatabase();
    const { url } = testDatabase;
    const name = new URL(url).pathname.slice(1);
    const setting = new Database({ url, poolMax: 1, preparedStatements: true });
    for (const change of ["DateStyle = 'German'", "TimeZone = 'Asia/Kolkata'", 'bytea_output = escape']) {
      await setting.run((knex) => knex.raw(`alter database "${name}" set ${change}`));
    }
    await setting.close();
    const database = new Database({ url, poolMax: 1, preparedStatements: true });
    onTestFinished(async () => {
      await database.close();
      await testDatabase.drop();
    });
    const { rows } = await database.run<{ rows: { now: Date; zone: string; bytes: string }[] }>((knex) =>
      knex.raw(
        "select now() as now, current_setting('TimeZone') as zone, row_to_json(t) ->> 'b' as bytes from (select 'a'::bytea as b) as t",
      ),
    );
    expect(rows[0]).toMatchObject({ zone: 'UTC', bytes: String.raw`\x61` });
    expect(Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('a read-only connection stays read-only with options in its address', async () => {
    const testDatabase = await createTestDatabase();
    const { url } = testDatabase;
    const withOptions = `${url}${url.includes('?') ? '&' : '?'}options=-c%20work_mem%3D8MB`;
    const database = new Database({ url: withOptions, poolMax: 1, preparedStatements: true, readOnly: true });
    onTestFinished(async () => {
      await database.close();
      await testDatabase.drop();
    });
    const { rows } = await database.withConnection((connection) =>
      connection.query(
        "select current_setting('default_transaction_read_only') as only, current_setting('work_mem') as mem",
      ),
    );
    expect(rows).toEqual([{ only: 'on', mem: '8MB' }]);
  });
});
