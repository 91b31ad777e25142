import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newApiKeyText } from '../../packages/core/src/api-key-records/api-key-text.js';
import { ApiClient } from '../support/api-client.js';
import { databaseContent } from '../support/database-content.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { FACTOR_KEY, INTERNAL_KEY, type Sql } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { SpanCollector } from '../support/tracing/span-collector.js';
import { waitUntil } from '../support/wait-until.js';

const PERSON = { email: 'ada@example.com', password: 'a long enough password', fullName: 'Ada' };
const MACHINE = { 'x-internal-api-key': INTERNAL_KEY };

describeWithRedis('a service with API keys', () => {
  let redis: TestRedis;
  let database: TestDatabase;
  let collector: SpanCollector;
  let service: ServiceProcess;
  let client: ApiClient;
  let pool: pg.Pool;
  const sql: Sql = async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows;

  beforeAll(async () => {
    [redis, database, collector] = await Promise.all([
      startRedis(),
      createTestDatabase(),
      SpanCollector.start(),
    ]);
    service = await startService({
      program: 'cheap-passwords-server',
      env: {
        ...collector.env,
        LOG_LEVEL: 'trace',
        APP_ENV: 'test',
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
        FACTOR_ENCRYPTION_KEYS: FACTOR_KEY,
        AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      },
    });
    client = new ApiClient(service.url);
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
  });

  afterAll(async () => {
    client.close();
    await service.stop();
    await pool.end();
    await collector.stop();
    await redis.stop();
    await database.drop();
  });

  /** Makes personal and company keys, and replaces one. */
  async function made(): Promise<{ key: string; id: string; token: string }[]> {
    const created = await client.call('POST', '/internal/admin/users', { headers: MACHINE, body: PERSON });
    expect(created.status, created.text).toBe(201);
    const { email, password } = PERSON;
    const login = await client.call('POST', '/auth/login', { body: { email, password } });
    const token = login.data.accessToken;
    const companyId = randomUUID();
    const personal = await client.call('POST', '/auth/api-keys', { token, body: { name: 'Export' } });
    const ofCompany = await client.call('POST', `/internal/admin/companies/${companyId}/api-keys`, {
      headers: MACHINE,
      body: { name: 'ERP', modules: ['billing'], permissions: [] },
    });
    const id = (personal.data as unknown as { apiKey: { id: string } }).apiKey.id;
    const rotated = await client.call('POST', `/auth/api-keys/${id}/rotate`, {
      token,
      body: { overlap: 60 },
    });
    return [personal, ofCompany, rotated].map(({ data, text }) => {
      const { key, apiKey } = data as unknown as { key: string; apiKey: { id: string } };
      expect(key, text).toMatch(/^lkk_/);
      return { key, id: apiKey.id, token };
    });
  }

  /** Sends a key to every place that a program may take for the right one. @returns what the service says of failures. */
  async function misuse(key: string, token: string): Promise<string> {
    const calls = [
      client.send('GET', '/auth/me', { token: key }),
      client.send('GET', '/auth/me/access', { token: key, headers: { 'x-org': randomUUID() } }),
      client.send('GET', `/auth/me?api_key=${key}`),
      client.send('GET', `/auth/${key}`),
      client.send('GET', '/auth/me', { headers: { cookie: `access_token=${key}` } }),
      client.send('GET', '/auth/me', { headers: { 'x-internal-api-key': key } }),
      client.send('GET', '/internal/admin/users', { token: key, headers: MACHINE }),
      client.send('DELETE', `/auth/api-keys/${key}`, { token }),
      client.send('POST', '/auth/api-keys', { token, body: { name: 'x', companyId: key } }),
      client.send('POST', '/auth/refresh', { body: { refreshToken: key } }),
      client.send('POST', '/auth/login', { body: { email: 'ada@example.com', password: key } }),
      client.send('POST', '/internal/users', { token: key, body: { email: key } }),
      client.send('POST', '/internal/admin/users', { headers: MACHINE, body: { email: key } }),
      client.send('POST', '/internal/api-keys/verify', { headers: MACHINE, body: { apiKey: `${key}0` } }),
      client.send('GET', '/auth/me', { token: `${key}0`, headers: { 'user-agent': 'script' } }),
      client.send('PUT', '/auth/me', { token: key }),
    ];
    const answers = await Promise.all(calls);
    return answers
      .filter(({ status }) => status >= 400)
      .map(({ text }) => text)
      .join('\n');
  }

  it('no line of the log, span, error or row of the database contains a key, wherever it was sent', async () => {
    const keys = await made();
    const texts = [...keys.map(({ key }) => key), newApiKeyText()];
    const errors: string[] = [];
    for (const key of texts) {
      errors.push(await misuse(key, keys[0]?.token ?? ''));
      await client.call('GET', '/auth/api-key', { token: key });
      await client.call('POST', '/internal/api-keys/verify', { headers: MACHINE, body: { apiKey: key } });
      await client.call('POST', '/auth/api-keys/exchange', { token: key });
    }
    for (const { id, token } of keys) await client.call('DELETE', `/auth/api-keys/${id}`, { token });
    await waitUntil(() => collector.spans.some(({ name }) => name.includes('/auth/api-keys/{id}')), {
      what: 'the last spans',
    });
    const found = {
      log: service.output(),
      traces: JSON.stringify(collector.spans),
      errors: errors.join('\n'),
      database: `${JSON.stringify(await databaseContent(sql))}\n${dump()}`,
    };
    // What is searched has what it should: the log and the spans have the requests, the database the keys.
    expect(found.log).toContain('/auth/api-key');
    expect(found.database).toContain('api_key_revoked');
    expect(found.errors).toContain('The API key is unknown, expired or revoked.');
    for (const [where, text] of Object.entries(found)) {
      for (const key of texts) {
        // Neither whole nor in the part that makes it secret.
        expect(text.includes(key.slice(0, 24)), `${where} contains a key`).toBe(false);
        expect(text.includes(key.slice(4, 30)), `${where} contains a part of a key`).toBe(false);
      }
    }
  });

  /** A dump where pg_dump fits the server. */
  function dump(): string {
    const args = ['--dbname', database.url, '--data-only'];
    const { status, stdout } = spawnSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    return status === 0 ? stdout : '';
  }
});
