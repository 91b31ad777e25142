import pg from 'pg';
import { expect } from 'vitest';
import { ApiClient, type Answer, type ApiOptions } from './api-client.js';
import { startRedis, type TestRedis } from './redis.js';
import { startService, type ServiceProcess } from './service-process.js';
import { INTERNAL_KEY, type Sql } from './service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { testKeys } from './test-keys.js';
import { insertUser, type NewTestUser, type TestUser } from './test-users.js';

/** One process of the service, and a client that keeps its connections. */
export interface Replica {
  process: ServiceProcess;
  client: ApiClient;
}

export interface Tokens {
  token: string;
  refreshToken: string;
}

interface Parts {
  database: TestDatabase;
  redis: TestRedis;
  replicas: [Replica, Replica];
}

/** Two real processes of the service over one database, one Redis and one signing key. */
export class Replicas {
  readonly both: [Replica, Replica];
  readonly redis: TestRedis;
  readonly #database: TestDatabase;
  readonly #pool: pg.Pool;

  private constructor({ database, redis, replicas }: Parts) {
    this.both = replicas;
    this.redis = redis;
    this.#database = database;
    this.#pool = new pg.Pool({ connectionString: database.url, max: 2 });
  }

  static async start(env: Record<string, string> = {}): Promise<Replicas> {
    const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const settings = {
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      // Each has an address of its own, but their tokens are the same.
      AUTH_BASE_URL: 'http://localhost:3000',
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      PUBLIC_REGISTRATION_ENABLED: 'true',
      LOGIN_RATE_LIMIT: '100000',
      LOG_LEVEL: 'warn',
      ...env,
    };
    const replicas = await Promise.all([startReplica(settings), startReplica(settings)]);
    return new Replicas({ database, redis, replicas });
  }

  /** The replica for the n-th of several requests: they take turns. */
  turn(n: number): ApiClient {
    return this.both[n % 2 === 0 ? 0 : 1].client;
  }

  /** Opens `perReplica` connections to each and runs their code for the first time, so that a race starts level. */
  async warmUp(perReplica: number): Promise<void> {
    const user = await this.createUser();
    const { refreshToken } = await this.mint(user.id);
    const requests = this.both.flatMap(({ client }) =>
      Array.from({ length: perReplica }, () =>
        client.call('POST', '/auth/refresh', { body: { refreshToken } }),
      ),
    );
    await Promise.all(requests);
  }

  readonly sql: Sql = async (text, values) => {
    const { rows } = await this.#pool.query<Record<string, unknown>>(text, values);
    return rows;
  };

  createUser(wanted?: NewTestUser): Promise<TestUser> {
    return insertUser(this.sql, wanted);
  }

  /** A machine route of the n-th replica. */
  machine(n: number, method: string, path: string, options: ApiOptions = {}): Promise<Answer> {
    return this.turn(n).call(method, path, { ...options, headers: { 'x-internal-api-key': INTERNAL_KEY } });
  }

  /** A session that cost no password check. */
  async mint(userId: string): Promise<Tokens> {
    const answer = await this.machine(0, 'POST', `/internal/admin/users/${userId}/sessions`);
    expect(answer.status, answer.text).toBe(201);
    return { token: answer.data.accessToken, refreshToken: answer.data.refreshToken };
  }

  /** Stops everything. A process that ended before, or does not end in order, fails the test. */
  async stop(): Promise<void> {
    for (const { client } of this.both) client.close();
    const exits = await Promise.all(this.both.map(({ process }) => process.stop()));
    await this.#pool.end();
    await this.redis.stop();
    await this.#database.drop();
    expect(exits).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
  }
}

async function startReplica(env: Record<string, string>): Promise<Replica> {
  // Two start at once, from their sources, beside whatever else the machine is busy with.
  const process = await startService({ env });
  return { process, client: new ApiClient(process.url) };
}
