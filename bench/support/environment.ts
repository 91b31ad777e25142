import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../../packages/core/src/passwords/password-hasher.js';
import { startPostgres } from '../../test/support/postgres.js';
import { redisAvailable, startRedis } from '../../test/support/redis.js';
import { startService } from '../../test/support/service-process.js';
import { generateTestKeyPair } from '../../test/support/test-keys.js';
import { startChild } from './child-server.js';

const PASSWORD = 'correct horse battery staple';
const MACHINE_KEY = 'bench-machine-key-0123456789';

/** Servers of one run, on private ports: PostgreSQL that syncs to disk, Redis, the built service and the baseline server. */
export interface BenchEnvironment {
  serviceUrl: string;
  baselineUrl: string;
  /** Emails of approved users. All have the same password. */
  emails: string[];
  password: string;
  /** Ids of the rows that the refresh baseline updates. */
  baselineRowIds: number[];
  signIn: (email: string) => Promise<{ accessToken: string; refreshToken: string }>;
  stop(): Promise<void>;
}

export async function openEnvironment(users: number): Promise<BenchEnvironment> {
  const postgres = await startPostgres({ durable: true });
  const redis = redisAvailable() ? await startRedis() : undefined;
  const service = await startService({
    built: true,
    env: await serviceEnvironment(postgres.url, redis?.url),
  });
  const client = new pg.Client(postgres.url);
  await client.connect();
  const emails = await seedUsers(client, users);
  const baselineRowIds = await seedBaselineRows(client, users);
  await client.end();
  const baseline = await startChild(new URL('./baseline-server.ts', import.meta.url), {
    DATABASE_URL: postgres.url,
  });
  return {
    serviceUrl: service.url,
    baselineUrl: baseline.url,
    emails,
    password: PASSWORD,
    baselineRowIds,
    signIn: (email) => signIn(service.url, email),
    stop: async () => {
      baseline.stop();
      await service.stop();
      await redis?.stop();
      await postgres.stop();
    },
  };
}

async function serviceEnvironment(
  databaseUrl: string,
  redisUrl: string | undefined,
): Promise<Record<string, string>> {
  return {
    APP_ENV: redisUrl === undefined ? 'test' : 'production',
    AUTH_BASE_URL: 'http://localhost:3097',
    DATABASE_URL: databaseUrl,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    JWT_SIGNING_KEY_PEM: (await generateTestKeyPair()).privateKeyPem,
    AUTH_INTERNAL_API_KEY: MACHINE_KEY,
    PUBLIC_REGISTRATION_ENABLED: 'true',
    PASSWORD_BLOCKLIST: 'false',
    LOGIN_RATE_LIMIT: '1000000',
    // A round ends while requests are in flight. Their responses are lost, so the next round reuses their tokens.
    REFRESH_REUSE_GRACE: '60',
    LOG_LEVEL: 'warn',
  };
}

async function seedUsers(client: pg.Client, count: number): Promise<string[]> {
  const hasher = await PasswordHasher.start({
    memoryKib: 19456,
    iterations: 2,
    parallelism: 1,
    workers: 1,
    observer: unobserved,
  });
  const hash = await hasher.hash(PASSWORD);
  await hasher.close();
  const emails = Array.from({ length: count }, (_, index) => `user${index}@example.com`);
  await client.query(
    `INSERT INTO users (id, email, password_hash, approval_status, is_active)
     SELECT gen_random_uuid(), email, $2, 'APPROVED', true FROM unnest($1::text[]) AS email`,
    [emails, hash],
  );
  return emails;
}

async function seedBaselineRows(client: pg.Client, count: number): Promise<number[]> {
  await client.query(
    'CREATE TABLE bench_refresh (id int PRIMARY KEY, generation int NOT NULL, secret text) WITH (fillfactor = 70)',
  );
  await client.query(
    'INSERT INTO bench_refresh SELECT value, 0, $2 FROM generate_series(1, $1::int) AS value',
    [count, randomUUID()],
  );
  return Array.from({ length: count }, (_, index) => index + 1);
}

async function signIn(url: string, email: string): Promise<{ accessToken: string; refreshToken: string }> {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { data } = (await reply.json()) as { data: { accessToken: string; refreshToken: string } };
  return data;
}
