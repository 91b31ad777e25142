import { randomBytes } from 'node:crypto';
import { generateSigningKey } from '../../packages/core/src/keys.js';
import { startEtcd, type EtcdCluster } from './etcd.js';
import type { Part } from './part.js';
import { createDatabase, startPostgres, type PostgresMember } from './postgres.js';
import {
  startDatabaseProxy,
  startPgbouncers,
  startServiceProxy,
  type Proxy,
  type ServiceProxy,
} from './proxies.js';
import { Reaper } from './reaper.js';
import { redisUrl, startRedis, type RedisNode } from './redis.js';
import { startReplicas, type ClusterReplica } from './replicas.js';
import { Site } from './site.js';

/** Everything that was started. */
export interface ClusterParts {
  etcd: EtcdCluster;
  postgres: PostgresMember[];
  databaseProxy: Proxy;
  pgbouncers: Proxy[];
  redis: RedisNode[];
  replicas: ClusterReplica[];
  serviceProxy: ServiceProxy;
}

export const ADMIN = { email: 'admin@example.com', password: 'a slow river bend' };

/** A whole installation of Latchkey on this machine, which ends with this process. */
export class Cluster {
  readonly site = new Site();
  /** Of all accounts of PostgreSQL. */
  readonly password = randomBytes(16).toString('hex');
  readonly internalKey = randomBytes(24).toString('hex');
  readonly #reaper = new Reaper(this.site.folder);
  readonly #report: (line: string) => void;
  #parts: ClusterParts | undefined;
  #stopping: Promise<void> | undefined;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** The parts of a cluster that was started. */
  get parts(): ClusterParts {
    if (!this.#parts) throw new Error('The cluster was not started.');
    return this.#parts;
  }

  /** The address for clients. */
  get url(): string {
    return `http://127.0.0.1:${this.parts.serviceProxy.port}`;
  }

  /** Starts the parts in their order. `overrides` replace or add settings of the service. */
  async start(overrides: Readonly<Record<string, string>> = {}): Promise<void> {
    const { site, password } = this;
    const etcd = await this.#step('etcd, 3 members', () => startEtcd(site));
    const postgres = await this.#step('PostgreSQL under Patroni, 3 members', () =>
      startPostgres(site, etcd, password),
    );
    await createDatabase(postgres[0]!, password);
    const databaseProxy = await this.#step('HAProxy before the primary', () =>
      startDatabaseProxy(site, postgres),
    );
    const pgbouncers = await this.#step('PgBouncer, 2', () => startPgbouncers(site, databaseProxy, password));
    const redis = await this.#step('Redis Cluster, 3 masters', () => startRedis(site));
    const settings = { ...(await this.#settings(redis)), ...overrides };
    const replicas = await this.#step('Latchkey, 3 replicas', () =>
      startReplicas(site, { settings, pgbouncers, password }),
    );
    const serviceProxy = await this.#step('HAProxy before the replicas', () =>
      startServiceProxy(site, replicas),
    );
    this.#parts = { etcd, postgres, databaseProxy, pgbouncers, redis, replicas, serviceProxy };
    await this.createUser({ ...ADMIN, fullName: 'Ada Admin', globalRole: 'PLATFORM_SUPERADMIN' });
  }

  /** Ends everything in an orderly way and deletes the folder. Calling it twice is safe. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (this.#parts) {
      const { etcd, postgres, databaseProxy, pgbouncers, redis, replicas, serviceProxy } = this.#parts;
      await stopAll([serviceProxy.part, ...replicas.map(({ part }) => part)]);
      await stopAll([...pgbouncers, databaseProxy, ...redis].map(({ part }) => part));
      await stopAll(postgres.map(({ patroni }) => patroni));
      await stopAll(etcd.parts);
    }
    this.site.closeRelays();
    await this.#reaper.cleanUp();
  }

  async #settings(redis: readonly RedisNode[]): Promise<Record<string, string>> {
    return {
      APP_ENV: 'production',
      AUTH_BASE_URL: 'http://localhost:3097',
      REDIS_URL: redisUrl(redis),
      READY_REQUIRE_REDIS: 'false',
      DATABASE_PREPARED_STATEMENTS: 'false',
      // A client that lost a response during a failover gets the same successor.
      REFRESH_REUSE_GRACE: '60',
      JWT_SIGNING_KEY_PEM: await generateSigningKey(),
      AUTH_INTERNAL_API_KEY: this.internalKey,
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
      EMAIL_VERIFICATION: 'off',
      SECOND_FACTOR: 'off',
      CONSOLE_ENABLED: 'true',
      AUTH_WEB_FORCE_HTTPS: 'false',
      TRUST_PROXY: '127.0.0.1',
      SHUTDOWN_DELAY: '2',
      LOGIN_RATE_LIMIT: '100000',
    };
  }

  /** Creates a user, as a machine does. @returns the id. */
  async createUser(user: object): Promise<string> {
    const response = await fetch(`${this.parts.replicas[0]!.url}/internal/admin/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-api-key': this.internalKey },
      body: JSON.stringify(user),
    });
    const { data } = (await response.json()) as { data?: { id: string } };
    if (!data) throw new Error(`A user was not created: ${response.status}`);
    return data.id;
  }

  async #step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.#report(`   ${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  }
}

const stopAll = (parts: readonly Part[]): Promise<unknown> => Promise.all(parts.map((part) => part.stop(8)));
