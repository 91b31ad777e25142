import pg from 'pg';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.js';
import { redisAvailable, startRedis, type TestRedis } from '../../test/support/redis.js';
import { startService, type ServiceProcess } from '../../test/support/service-process.js';
import { generateTestKeyPair } from '../../test/support/test-keys.js';
import { startChild, type ChildServer, type ChildServerOptions } from './child-server.js';
import { HashDriver } from './hash-driver.js';
import { LoadDriver } from './load-driver.js';
import type { MeteredProcesses } from './meter.js';
import { seedUsers } from './seed.js';

export const PASSWORD = 'correct horse battery staple';
const USERS = 400;
const SIGN_INS_AT_ONCE = 8;

export interface SignIn {
  accessToken: string;
  refreshToken: string;
}

/**
 * Servers of one run, on private ports: PostgreSQL that syncs to disk, Redis if it is installed, the built service, and
 * what the groups start. All of them end with `close`.
 */
export class BenchEnvironment {
  readonly driver: LoadDriver;
  readonly postgres: TestPostgres;
  readonly service: ServiceProcess;
  /** Emails of approved users. All have the same password. */
  readonly emails: string[];
  /** Settings of the service, for processes that share its database, keys and Redis. */
  readonly settings: Record<string, string>;
  readonly #cleanUp: (() => unknown)[] = [];

  private constructor(
    servers: Pick<BenchEnvironment, 'driver' | 'postgres' | 'service' | 'emails' | 'settings'>,
    redis: TestRedis | undefined,
  ) {
    this.driver = servers.driver;
    this.postgres = servers.postgres;
    this.service = servers.service;
    this.emails = servers.emails;
    this.settings = servers.settings;
    this.onClose(() => this.postgres.stop());
    this.onClose(() => redis?.stop());
    this.onClose(() => this.service.stop());
    this.onClose(() => this.driver.stop());
  }

  /** Starts the servers. `overrides` replace or add settings of the service. */
  static async open(overrides: Record<string, string> = {}): Promise<BenchEnvironment> {
    const postgres = await startPostgres({ durable: true });
    const redis = redisAvailable() ? await startRedis() : undefined;
    const settings = { ...(await serviceSettings(postgres.url, redis?.url)), ...overrides };
    const service = await startService({ built: true, env: settings });
    const emails = await withClient(postgres.url, (client) => seedUsers(client, USERS, PASSWORD));
    const driver = await LoadDriver.start();
    return new BenchEnvironment({ driver, postgres, service, emails, settings }, redis);
  }

  /** Runs the work when the environment closes, before what was registered earlier. */
  onClose(work: () => unknown): void {
    this.#cleanUp.unshift(work);
  }

  /** Process ids of a contestant that uses PostgreSQL. */
  withPostgres(server: number): MeteredProcesses {
    return { server, postgres: this.postgres.pid };
  }

  async startChild(script: URL, options: ChildServerOptions): Promise<ChildServer> {
    const child = await startChild(script, options);
    this.onClose(() => child.stop());
    return child;
  }

  async startHashDriver(threads: number): Promise<HashDriver> {
    const hashes = await HashDriver.start(threads);
    this.onClose(() => hashes.stop());
    return hashes;
  }

  async startLoadDriver(): Promise<LoadDriver> {
    const driver = await LoadDriver.start();
    this.onClose(() => driver.stop());
    return driver;
  }

  /** Starts the built service again, with other settings or a preloaded module. */
  async startService(env: Record<string, string>): Promise<ServiceProcess> {
    const service = await startService({ built: true, env: { ...this.settings, ...env } });
    this.onClose(() => service.stop());
    return service;
  }

  sql<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.postgres.url, work);
  }

  /** Signs in the first users, a few at a time. */
  async signIn(count: number, url = this.service.url): Promise<SignIn[]> {
    const sessions: SignIn[] = [];
    for (let next = 0; next < count; next += SIGN_INS_AT_ONCE) {
      const emails = this.emails.slice(next, Math.min(count, next + SIGN_INS_AT_ONCE));
      sessions.push(...(await Promise.all(emails.map((email) => signIn(url, email)))));
    }
    return sessions;
  }

  /** Signs in the first user. */
  async signInOne(): Promise<SignIn> {
    const [session] = await this.signIn(1);
    if (!session) throw new TypeError('The sign-in returned no session.');
    return session;
  }

  async close(): Promise<void> {
    for (const work of this.#cleanUp) await work();
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function serviceSettings(
  databaseUrl: string,
  redisUrl: string | undefined,
): Promise<Record<string, string>> {
  return {
    APP_ENV: redisUrl === undefined ? 'test' : 'production',
    AUTH_BASE_URL: 'http://localhost:3097',
    DATABASE_URL: databaseUrl,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    JWT_SIGNING_KEY_PEM: (await generateTestKeyPair()).privateKeyPem,
    AUTH_INTERNAL_API_KEY: 'bench-machine-key-0123456789',
    PUBLIC_REGISTRATION_ENABLED: 'true',
    PASSWORD_BLOCKLIST: 'false',
    LOGIN_RATE_LIMIT: '1000000',
    LOG_LEVEL: 'warn',
  };
}

async function signIn(url: string, email: string): Promise<SignIn> {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { data } = (await reply.json()) as { data?: SignIn };
  if (!data) throw new Error(`the sign-in of ${email} failed with status ${reply.status}`);
  return data;
}
