import pg from 'pg';
import { expect } from 'vitest';
import { ApiClient, type Answer, type ApiOptions } from './api-client.js';
import type { Program } from './build-programs.js';
import { startRedis, type TestRedis } from './redis.js';
import { startService, type ServiceProcess } from './service-process.js';
import { INTERNAL_KEY, type Sql } from './service.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { testKeys } from './test-keys.js';
import {
  insertUser,
  LEAST_PASSWORD_COST,
  type NewTestUser,
  type PasswordCost,
  type TestUser,
} from './test-users.js';

/** One process of the service, and a client that keeps its connections. */
export interface Replica {
  process: ServiceProcess;
  client: ApiClient;
}

export interface Tokens {
  token: string;
  refreshToken: string;
}

interface ReplicaOptions {
  /** True: hashing a password costs next to nothing. Default: what the settings say. */
  cheapPasswords?: boolean;
  /** Default: a clone on the server that the whole run shares. */
  database?: TestDatabase;
}

interface Parts {
  passwordCost: PasswordCost | undefined;
  database: TestDatabase;
  redis: TestRedis;
  replicas: [Replica, Replica];
  startAnother: () => Promise<Replica>;
}

/** Two real processes of the service over one database, one Redis and one signing key. */
export class Replicas {
  readonly both: [Replica, Replica];
  readonly redis: TestRedis;
  readonly #database: TestDatabase;
  readonly #passwordCost: PasswordCost | undefined;
  readonly #pool: pg.Pool;
  /** Starts one more replica, which the caller stops. */
  readonly startAnother: () => Promise<Replica>;

  private constructor({ database, redis, replicas, passwordCost, startAnother }: Parts) {
    this.startAnother = startAnother;
    this.both = replicas;
    this.redis = redis;
    this.#database = database;
    this.#passwordCost = passwordCost;
    this.#pool = new pg.Pool({ connectionString: database.url, max: 2 });
    // Connections that are not in use end with the server, where a test stops it.
    this.#pool.on('error', () => undefined);
  }

  static async start(
    env: Record<string, string> = {},
    { cheapPasswords = false, database: given }: ReplicaOptions = {},
  ): Promise<Replicas> {
    const [database, redis] = await Promise.all([given ?? createTestDatabase(), startRedis()]);
    const settings = {
      APP_ENV: 'test',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      // Each has an address of its own, but their tokens are the same.
      AUTH_BASE_URL: 'http://localhost:3000',
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      PUBLIC_REGISTRATION_ENABLED: 'true',
      ACCOUNT_DELETION: 'self',
      LOGIN_RATE_LIMIT: '100000',
      // The sessions of staff are minted, so none of them is fresh.
      STAFF_STEP_UP: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    };
    const program = cheapPasswords ? 'cheap-passwords-server' : 'latchkey-server';
    const startAnother = () => startReplica(settings, program);
    const replicas = await Promise.all([startAnother(), startAnother()]);
    const passwordCost = cheapPasswords ? LEAST_PASSWORD_COST : undefined;
    return new Replicas({ database, redis, replicas, passwordCost, startAnother });
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
    return insertUser(this.sql, wanted, this.#passwordCost);
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

async function startReplica(env: Record<string, string>, program: Program): Promise<Replica> {
  // Two start at once, from their sources, beside whatever else the machine is busy with.
  const process = await startService({ env, program });
  return { process, client: new ApiClient(process.url) };
}
