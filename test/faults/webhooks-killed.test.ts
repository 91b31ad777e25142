import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { PostgresPair } from '../support/postgres-pair.js';
import { IS_FULL } from '../support/scale.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { FACTOR_KEY, INTERNAL_KEY } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

// `PROOF_SCALE=full` kills twenty times; the suite runs a short form.
const KILLS = IS_FULL ? 20 : 3;
const WORKERS = 4;
const MACHINE = { 'x-internal-api-key': INTERNAL_KEY };

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 300_000 });

interface Message {
  id: string;
  auditId: string;
  userId: string;
}

/** A receiver of webhooks that records every message. */
class Receiver {
  readonly messages: Message[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { data } = JSON.parse(body) as { data: Omit<Message, 'id'> };
        this.messages.push({ ...data, id: String(request.headers['webhook-id']) });
        response.writeHead(204).end();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** The service, which is started again after each end, and users who are created all the time. */
class Load {
  readonly acknowledged: string[] = [];
  readonly #env: Record<string, string>;
  #service: ServiceProcess | undefined;
  #client: ApiClient | undefined;
  #isRunning = true;
  readonly #workers: Promise<void>[] = [];
  #created = 0;

  private constructor(env: Record<string, string>) {
    this.#env = env;
  }

  /** Starts the service with a webhook for new users, and the load. */
  static async start(databaseUrl: string, receiverUrl: string): Promise<Load> {
    const load = new Load({
      APP_ENV: 'test',
      DATABASE_URL: databaseUrl,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      ENCRYPTION_KEYS: FACTOR_KEY,
      WEBHOOKS: 'platform',
      LOG_LEVEL: 'warn',
    });
    await load.restart();
    const webhook = { url: receiverUrl, events: ['user.created'] };
    const made = await load.client.call('POST', '/internal/admin/webhooks', {
      headers: MACHINE,
      body: webhook,
    });
    expect(made.status, made.text).toBe(201);
    load.#workers.push(...Array.from({ length: WORKERS }, () => load.#createUsers()));
    await load.untilFurther();
    return load;
  }

  get client(): ApiClient {
    if (!this.#client) throw new Error('The service is not running.');
    return this.#client;
  }

  async restart(): Promise<void> {
    this.#service = await startService({ program: 'cheap-passwords-server', env: this.#env });
    this.#client = new ApiClient(this.#service.url);
  }

  /** Ends the process as a power cut would. */
  async kill(): Promise<void> {
    this.#service?.signal('SIGKILL');
    this.#client?.close();
    this.#client = undefined;
    await this.#service?.exited;
  }

  /** Waits until users have been created since. */
  async untilFurther(): Promise<void> {
    const before = this.acknowledged.length;
    await waitUntil(() => this.acknowledged.length >= before + 20, { what: 'further users' });
  }

  /** Ends the load; the service goes on. */
  async end(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#workers);
  }

  async stop(): Promise<void> {
    await this.end();
    this.#client?.close();
    await this.#service?.stop();
  }

  async #createUsers(): Promise<void> {
    while (this.#isRunning) {
      await this.#createUser().catch(() => undefined);
      await sleep(5);
    }
  }

  /** A request that was cut off may have created the user, or not; one that was acknowledged has. */
  async #createUser(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const body = { email: `user-${(this.#created += 1)}@example.com` };
    const answer = await client.send('POST', '/internal/admin/users', { headers: MACHINE, body });
    if (answer.status !== 201) return;
    this.acknowledged.push((answer.body as { data: { id: string } }).data.id);
  }
}

describe('messages to webhooks', () => {
  let receiver: Receiver;
  let url: string;
  let load: Load;
  beforeEach(async () => {
    receiver = new Receiver();
    url = await receiver.listen();
  });
  afterEach(async () => {
    await load.stop();
    receiver.close();
  });

  /** Expects one delivery for each user in the log, each received under one id. */
  async function expectNoneLostNorTwice(databaseUrl: string): Promise<void> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    try {
      const { rows: entries } = await pool.query<{ id: string; userId: string }>(
        `SELECT a.id, a.subject_user_id AS "userId" FROM auth_audit_logs a, webhook_endpoints e
         WHERE a.event = 'user_created' AND NOT pg_visible_in_snapshot(a.transaction_id, e.created_snapshot::pg_snapshot)`,
      );
      const created = new Set(entries.map(({ userId }) => userId));
      expect(load.acknowledged.filter((id) => !created.has(id))).toEqual([]);
      const queued = async () => (await pool.query('SELECT FROM webhook_deliveries')).rowCount;
      await waitUntil(async () => (await queued()) === entries.length, {
        what: 'a delivery for every entry',
      });
      // What a killed process had claimed is due at once, rather than when its lease ends.
      await pool.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'PENDING'`);
      const sent = () => new Set(receiver.messages.map(({ auditId }) => auditId)).size;
      await waitUntil(() => sent() >= entries.length, { what: 'a message for every entry' });
      const { rows: deliveries } = await pool.query<{ auditId: string }>(
        'SELECT audit_id AS "auditId" FROM webhook_deliveries',
      );
      expect(deliveries.map(({ auditId }) => auditId).sort()).toEqual(entries.map(({ id }) => id).sort());
      const ids = new Map<string, Set<string>>();
      for (const { auditId, id } of receiver.messages)
        ids.set(auditId, (ids.get(auditId) ?? new Set()).add(id));
      expect([...ids.keys()].sort()).toEqual(entries.map(({ id }) => id).sort());
      expect([...ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
    } finally {
      await pool.end();
    }
  }

  it(`no message is lost and none is queued twice while the service is killed ${KILLS} times`, async () => {
    const database = await createTestDatabase();
    load = await Load.start(database.url, url);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(Math.random() * 1_500);
      await load.kill();
      await load.restart();
      await load.untilFurther();
    }
    await load.end();
    await expectNoneLostNorTwice(database.url);
    await load.stop();
    await database.drop();
  });

  it('no message is lost and none is queued twice when a standby of the database takes over', async () => {
    const pair = await PostgresPair.start();
    try {
      load = await Load.start(pair.url(pair.primary, pair.standby), url);
      pair.primary.kill();
      await sleep(300);
      await pair.promote();
      await load.untilFurther();
      await load.end();
      await expectNoneLostNorTwice(pair.standby.url);
      await load.stop();
    } finally {
      await pair.stop();
    }
  });
});
