import type { Server } from 'node:http';
import pg from 'pg';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { readSettings, type Auth, type AuthExtensions } from '@latchkey/core';
import { startService, type Service } from '@latchkey/server';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ApiClient, type Answer, type AnswerData, type ApiOptions } from './api-client.js';
import { bindingOfTests, openBinding } from './binding.js';
import { withCheapPasswords } from './cheap-passwords.js';
import { startRedis, type TestRedis } from './redis.js';
import { startSmtpSink, type SmtpSink } from './smtp-sink.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { testKeys } from './test-keys.js';
import { insertUser, type NewTestUser, type TestUser } from './test-users.js';
import { waitUntil } from './wait-until.js';

export interface TestServiceOptions {
  /** Settings beside those of `settingsOf`, or instead of them; some name the port. */
  env?: Record<string, string> | ((port: number) => Record<string, string>);
  /** True: a Redis of its own. A URL: that one. Default: the in-process store. */
  redis?: boolean | string;
  /**
   * True: mail goes to an SMTP server of its own. A URL: to that one. Default: to the development inbox, which logs links
   * and is the process's own: of two replicas, either may send a mail.
   */
  smtp?: boolean | string;
  /** True: hashing a password costs what the settings say. Default: next to nothing. */
  realPasswordCost?: boolean;
  /** Options that a host app would add. */
  extensions?: AuthExtensions;
  /** The database of another service, to be its second replica. Default: a fresh one. */
  databaseUrl?: string;
}

/** Runs one statement against the service's database. */
export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** The key of the machine routes. */
export const INTERNAL_KEY = 'internal-key-of-the-tests';

/** The key that encrypts the secrets of second factors. */
export const FACTOR_KEY = Buffer.alloc(32, 7).toString('base64');

/** The service in this process, behind a real socket, with a database of its own. */
export class TestService {
  readonly url: string;
  /** Its public address, `AUTH_BASE_URL`: what people open in a browser. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly auth: Auth;
  /** Undefined unless the service has a Redis of its own. */
  readonly redis: TestRedis | undefined;
  /** Undefined unless the service has an SMTP server of its own. */
  readonly smtp: SmtpSink | undefined;
  readonly client: ApiClient;
  readonly #parts: Parts;
  readonly #pool: pg.Pool;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.url = `http://127.0.0.1:${parts.service.port}`;
    this.publicUrl = parts.service.auth.settings.http.baseUrl;
    this.databaseUrl = parts.databaseUrl;
    this.auth = parts.service.auth;
    this.redis = parts.redis;
    this.smtp = parts.smtp;
    this.client = new ApiClient(this.url);
    this.#pool = new pg.Pool({ connectionString: parts.databaseUrl, max: 2 });
    // A database that is killed by a test also ends idle connections.
    this.#pool.on('error', () => undefined);
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const database = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
    const databaseUrl = options.databaseUrl ?? database?.url ?? '';
    const redis = options.redis === true ? await startRedis() : undefined;
    const redisUrl = typeof options.redis === 'string' ? options.redis : redis?.url;
    const smtp = options.smtp === true ? await startSmtpSink() : undefined;
    const smtpUrl = typeof options.smtp === 'string' ? options.smtp : smtp?.url;
    const log: string[] = [];
    try {
      const port = await freePort();
      const wanted = typeof options.env === 'function' ? options.env(port) : options.env;
      const env = { ...(smtpUrl && { SMTP_URL: smtpUrl, MAIL_FROM: MAIL_SENDER }), ...wanted };
      const read = readSettings(settingsOf(port, databaseUrl, { redisUrl, env }));
      const priced = options.realPasswordCost ? read : withCheapPasswords(read);
      const binding = bindingOfTests();
      // The standalone server then listens beside the app under test.
      const settings = binding ? { ...priced, http: { ...priced.http, port: 0 } } : priced;
      const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void log.push(line) });
      const service = await startService(settings, logger, options.extensions);
      const host = binding && (await openBinding(binding, service.auth, port));
      return new TestService({
        service: { ...service, port },
        host,
        databaseUrl,
        database,
        redis,
        smtp,
        log,
      });
    } catch (error) {
      await smtp?.stop();
      await redis?.stop();
      await database?.drop();
      throw error;
    }
  }

  /** Sends a request; the answer has passed the checks of `assert-response.ts`. Relative to the service's address. */
  api(method: string, path: string, options?: ApiOptions): Promise<Answer> {
    return this.client.call(method, path, options);
  }

  /** The same with the machine key. */
  machine(method: string, path: string, options: ApiOptions = {}): Promise<Answer> {
    return this.api(method, path, {
      ...options,
      headers: { 'x-internal-api-key': INTERNAL_KEY, ...options.headers },
    });
  }

  readonly sql: Sql = async (text, values) => {
    const { rows } = await this.#pool.query<Record<string, unknown>>(text, values);
    return rows;
  };

  /** A user straight from the database: approved, active and with the password `PASSWORD` by default. */
  createUser(wanted?: NewTestUser): Promise<TestUser> {
    return insertUser(this.sql, wanted, this.auth.settings.passwords.argon2);
  }

  /** Signs in over HTTP, which costs a verification of the password; gives the tokens. */
  async signIn({ email, password }: Pick<TestUser, 'email' | 'password'>): Promise<AnswerData> {
    const answer = await this.api('POST', '/auth/login', { body: { email, password } });
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  }

  /** A new user and their tokens. */
  async signedIn(wanted?: NewTestUser): Promise<TestUser & { accessToken: string; refreshToken: string }> {
    const user = await this.createUser(wanted);
    const { accessToken, refreshToken } = await this.signIn(user);
    return { ...user, accessToken, refreshToken };
  }

  /** The first mail to an address, or the `count`th one; it may have come already. */
  async mailTo(email: string, count = 1): Promise<TestMail> {
    const mail = await waitUntil(() => this.mailsTo(email)[count - 1], { what: `mail ${count} to ${email}` });
    if (this.smtp && mail.token !== '') this.client.secrets.add(mail.token);
    return mail;
  }

  /** Every mail to an address so far, the first first. */
  mailsTo(email: string): TestMail[] {
    const kept = this.auth.inbox?.list().toReversed() ?? [];
    const received = this.smtp?.messages ?? kept;
    return received.filter(({ to }) => [to].flat().includes(email)).map(asTestMail);
  }

  /** Everything logged so far, as JSON lines, nothing redacted. */
  log(): string {
    return this.#parts.log.join('');
  }

  /** Stops the service and what was started for it. No secret that the client met may be in log or audit log. */
  async stop(): Promise<void> {
    const { service, host, redis, smtp, database } = this.#parts;
    this.client.close();
    host?.close();
    host?.closeAllConnections();
    const audit = await this.#step(
      'the audit log is read',
      this.sql('SELECT * FROM auth_audit_logs').catch(nothingIfGone),
    );
    await this.#step('the service stops', service.stop());
    await this.#step('the connections are closed', this.#pool.end());
    await this.#step('Redis and the mail server stop', Promise.all([redis?.stop(), smtp?.stop()]));
    await this.#step('the database is dropped', database?.drop());
    const written = this.log() + JSON.stringify(audit);
    for (const secret of this.client.secrets) {
      expect(written.includes(secret), `"${secret.slice(0, 8)}…" was logged`).toBe(false);
    }
  }

  /** Waits for a step of the stop, and names the one that does not end, with what the service logged last. */
  async #step<T>(what: string, work: Promise<T> | undefined): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`Waited in vain until ${what}. ${this.#parts.log.slice(-10).join('')}`));
      }, LONGEST_STEP_MS);
    });
    return Promise.race([work, limit]).finally(() => clearTimeout(timer));
  }
}

const LONGEST_STEP_MS = 120_000;

const UNDEFINED_TABLE = '42P01';

/** A database that is gone cannot be searched; without the table the search itself would be wrong. */
function nothingIfGone(error: unknown): [] {
  if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) throw error;
  return [];
}

interface Parts {
  service: Service;
  /** The app under test, if it is not the standalone server. */
  host: Server | undefined;
  databaseUrl: string;
  database: TestDatabase | undefined;
  redis: TestRedis | undefined;
  smtp: SmtpSink | undefined;
  log: string[];
}

/** A mail as its reader sees it. */
export interface TestMail {
  subject: string;
  text: string;
  /** The address it invites to open; empty when there is none. */
  link: string;
  /** The one-time secret in that address. */
  token: string;
}

const MAIL_SENDER = 'auth@example.com';

function asTestMail({ subject, text }: { subject: string; text: string }): TestMail {
  const [link = ''] = /https?:\/\/\S+/.exec(text) ?? [];
  return { subject, text, link, token: link === '' ? '' : (new URL(link).searchParams.get('token') ?? '') };
}

/** Starts the service within this process. @see TestServiceOptions */
export function startTestService(options?: TestServiceOptions): Promise<TestService> {
  return TestService.start(options);
}

/** The same for one test: it is stopped when the test is over, however that ends. */
export async function serviceForThisTest(options?: TestServiceOptions): Promise<TestService> {
  const service = await TestService.start(options);
  onTestFinished(() => service.stop());
  return service;
}

function settingsOf(
  port: number,
  databaseUrl: string,
  { redisUrl, env }: { redisUrl: string | undefined; env?: Record<string, string> },
): Record<string, string | undefined> {
  return {
    APP_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    FACTOR_ENCRYPTION_KEYS: FACTOR_KEY,
    WEBHOOKS: 'all',
    AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
    PUBLIC_REGISTRATION_ENABLED: 'true',
    // Limits are tested where they are the subject.
    LOGIN_RATE_LIMIT: '100000',
    // Most sessions of staff are minted, so none of them is fresh.
    STAFF_STEP_UP: 'off',
    ...env,
  };
}
