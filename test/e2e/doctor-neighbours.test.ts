import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { diagnosed, outcomes } from '../support/doctor/diagnosed.js';
import { openConnection } from '../support/open-connection.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describeWithRedis('Redis', () => {
  const IDS = ['reachable', 'usable', 'version', 'role', 'eviction', 'memory'].map((id) => `redis.${id}`);

  const everything = (status: string, changes: Record<string, string> = {}) => ({
    ...Object.fromEntries(IDS.map((id) => [id, status])),
    ...Object.fromEntries(Object.entries(changes).map(([id, changed]) => [`redis.${id}`, changed])),
  });

  async function judged(...args: string[]): Promise<Record<string, string | undefined>> {
    const redis = await startRedis(args);
    onTestFinished(() => redis.stop());
    // A loaded machine takes longer for a round trip than is good for a service, which is a warning of its own.
    return waitUntil(
      async () => {
        const found = outcomes(await diagnosed({ REDIS_URL: redis.url }), ...IDS);
        return found['redis.reachable'] === 'warning' ? undefined : found;
      },
      { what: 'a quick round trip' },
    );
  }

  it('a default Redis passes every check', async () => {
    expect(await judged()).toEqual(everything('ok'));
  });

  it('doctor reports a Redis that evicts keys', async () => {
    expect(await judged('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')).toEqual(
      everything('ok', { eviction: 'warning' }),
    );
  });

  it('a full Redis can neither be used nor has memory left', async () => {
    expect(await judged('--maxmemory', '100kb')).toEqual(
      everything('ok', { usable: 'error', memory: 'warning' }),
    );
  });

  it('doctor reports a Redis replica', async () => {
    expect(await judged('--replicaof', '127.0.0.1', String(await freePort()))).toEqual(
      everything('ok', { usable: 'error', role: 'error' }),
    );
  });

  it('doctor reports a Redis account without the needed commands', async () => {
    expect(await judged('--user', 'default', 'on', 'nopass', '~*', '&*', '+@all', '-getdel')).toEqual(
      everything('ok', { usable: 'error' }),
    );
  });

  it('an unavailable Redis, or a wrong password, is an error, and other checks are skipped', async () => {
    const away = await diagnosed({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    expect(outcomes(away, ...IDS)).toEqual(everything('skipped', { reachable: 'error' }));
    expect(away.get('redis.reachable')?.found).toContain('ECONNREFUSED');
    const redis = await startRedis(['--requirepass', 'right']);
    onTestFinished(() => redis.stop());
    const refused = await diagnosed({ REDIS_URL: redis.url.replace('//', '//:hidden-word@') });
    expect(refused.get('redis.reachable')).toMatchObject({
      status: 'error',
      found: expect.stringContaining('WRONGPASS') as string,
    });
    expect(JSON.stringify([...refused])).not.toContain('hidden-word');
  });
});

describe('mail', () => {
  const settings = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'Latchkey <no-reply@example.com>' });

  it('a mail server that responds passes, and a sender of a reserved domain does not', async () => {
    const sink = await startSmtpSink();
    onTestFinished(() => sink.stop());
    const reports = await diagnosed(settings(sink.url));
    expect(outcomes(reports, 'mail.configured', 'mail.reachable', 'mail.sender')).toEqual({
      'mail.configured': 'ok',
      'mail.reachable': 'ok',
      'mail.sender': 'warning',
    });
    expect(sink.messages).toEqual([]);
  });

  it('an unavailable mail server is an error without the password', async () => {
    const url = `smtp://ann:hidden-word@127.0.0.1:${await freePort()}`;
    const reports = await diagnosed(settings(url));
    expect(reports.get('mail.reachable')?.status).toBe('error');
    expect(JSON.stringify([...reports])).not.toContain('hidden-word');
  });
});

describe('the core service', () => {
  const KEY = 'key-of-the-core-service';

  /** Answers like one that knows no company, to those who show its key. */
  async function coreService(): Promise<{ url: string; paths: string[] }> {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.statusCode = request.headers['x-internal-api-key'] === KEY ? 404 : 401;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
  }

  it('doctor asks the core service for the entitlements of an unknown company', async () => {
    const { url, paths } = await coreService();
    const reports = await diagnosed({ CORE_BASE_URL: url, CORE_INTERNAL_API_KEY: KEY });
    expect(outcomes(reports, 'core.reachable', 'core.address')).toEqual({
      'core.reachable': 'ok',
      'core.address': 'ok',
    });
    expect(paths).toEqual([expect.stringMatching(/^\/internal\/companies\/[0-9a-f-]{36}\/entitlements$/)]);
  });

  it('a core service that rejects the key is an error', async () => {
    const { url } = await coreService();
    const reports = await diagnosed({ CORE_BASE_URL: url, CORE_INTERNAL_API_KEY: 'hidden-word' });
    expect(reports.get('core.reachable')).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('CORE_INTERNAL_API_KEY') as string,
    });
    expect(JSON.stringify([...reports])).not.toContain('hidden-word');
  });

  it('an unavailable core service is an error', async () => {
    const reports = await diagnosed({ CORE_BASE_URL: `http://127.0.0.1:${await freePort()}` });
    expect(reports.get('core.reachable')?.status).toBe('error');
  });
});

describe('the finance database', () => {
  async function financeDatabase(): Promise<{ owner: string; reader: string }> {
    const database = await createTestDatabase({ migrated: false });
    const role = `reader_${new URL(database.url).pathname.slice(1)}`;
    const client = await openConnection(database.url);
    await client.query('CREATE TABLE companies (id uuid, code text, name text)');
    await client.query(`CREATE ROLE ${role} LOGIN`);
    await client.query(`GRANT SELECT ON companies TO ${role}`);
    onTestFinished(async () => {
      await client.query(`DROP OWNED BY ${role}`);
      await client.query(`DROP ROLE ${role}`);
      await client.end();
      await database.drop();
    });
    const reader = new URL(database.url);
    reader.username = role;
    return { owner: database.url, reader: reader.href };
  }

  const judged = async (FINANCE_DATABASE_URL: string, FINANCE_COMPANY_QUERY?: string) => {
    const query = FINANCE_COMPANY_QUERY === undefined ? {} : { FINANCE_COMPANY_QUERY };
    const reports = await diagnosed({ FINANCE_DATABASE_URL, ...query });
    return [
      reports.get('finance.reachable'),
      reports.get('finance.rights'),
      reports.get('finance.query'),
    ].map((report) => report?.status);
  };

  it('an account that may read and a valid query pass', async () => {
    const { reader } = await financeDatabase();
    expect(await judged(reader)).toEqual(['ok', 'ok', 'ok']);
    expect(await judged(reader, 'SELECT id, code, name FROM companies WHERE code = $1')).toEqual([
      'ok',
      'ok',
      'ok',
    ]);
  });

  it('doctor reports an account with all rights', async () => {
    const { owner } = await financeDatabase();
    expect(await judged(owner)).toEqual(['ok', 'warning', 'ok']);
  });

  it('a query that fails, lacks a column or writes is an error', async () => {
    const { reader } = await financeDatabase();
    for (const query of [
      'SELECT id, code, name FROM firms WHERE code = $1',
      'SELECT id, name FROM companies WHERE code = $1',
      'INSERT INTO companies (code) VALUES ($1) RETURNING id, code, name',
    ]) {
      expect(await judged(reader, query)).toEqual(['ok', 'ok', 'error']);
    }
  });

  it('an unavailable finance database is an error, and other checks are skipped', async () => {
    expect(await judged(`postgres://reader@127.0.0.1:${await freePort()}/finance`)).toEqual([
      'error',
      'skipped',
      'skipped',
    ]);
  });
});

describe('this machine', () => {
  it('doctor reports the time of a password hash', async () => {
    expect((await diagnosed({})).get('machine.hashing')).toMatchObject({
      found: expect.stringMatching(/^\d+ ms by (?:@node-rs\/)?argon2$/) as string,
    });
  });

  it('doctor reports files of DATA_DIR that others can read', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const key = join(DATA_DIR, 'signing-key.pem');
    const ids = ['machine.space', 'machine.data_folder'];
    expect((await diagnosed({ DATA_DIR })).get('machine.data_folder')?.status).toBe('skipped');
    await mkdir(DATA_DIR);
    await writeFile(key, '', { mode: 0o600 });
    expect(outcomes(await diagnosed({ DATA_DIR }), ...ids)).toEqual({
      'machine.space': 'ok',
      'machine.data_folder': 'ok',
    });
    await chmod(key, 0o644);
    expect((await diagnosed({ DATA_DIR })).get('machine.data_folder')).toMatchObject({
      status: 'warning',
      fix: `chmod 600 ${key}`,
    });
  });

  it('doctor reports the age of the signing key file', async () => {
    const JWT_SIGNING_KEY_PEM_FILE = join(await temporaryFolder(), 'key.pem');
    await writeFile(JWT_SIGNING_KEY_PEM_FILE, testKeys().privateKeyPem);
    const recent = await diagnosed({ JWT_SIGNING_KEY_PEM_FILE });
    expect(outcomes(recent, 'keys.age', 'keys.signing')).toEqual({ 'keys.age': 'ok', 'keys.signing': 'ok' });
    const longAgo = new Date(Date.now() - 500 * 86_400_000);
    await utimes(JWT_SIGNING_KEY_PEM_FILE, longAgo, longAgo);
    expect((await diagnosed({ JWT_SIGNING_KEY_PEM_FILE })).get('keys.age')).toMatchObject({
      status: 'warning',
      found: 'its file was written 500 days ago',
    });
  });
});
