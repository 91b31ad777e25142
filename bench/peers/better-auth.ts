import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { storedHash } from './better-auth-database.js';
import type { PeerServer } from './peer-server.js';
import { clientAddress } from './sign-in-requests.js';

/** The store that sessions are read from: PostgreSQL, Redis, or a signed cookie that lives for five minutes. */
type SessionStore = 'database' | 'redis' | 'cookie';

export interface BetterAuthOptions {
  sessions: SessionStore;
  /** Argon2id with Latchkey's parameters, or better-auth's own. */
  hashing: 'argon2' | 'scrypt';
  /** Address of an empty database. */
  databaseUrl: string;
  redisUrl: string;
  emails: readonly string[];
  password: string;
  /** Signs cookies. Defaults to a random one. */
  secret?: string;
}

/** better-auth stores salt and key of scrypt without parameters. */
const STORED_HASHES = {
  argon2: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  scrypt: /^[0-9a-f]{32}:[0-9a-f]{128}$/,
};

/** Latchkey's default of `DATABASE_POOL_MAX`. */
const POOL_MAX = '10';

/** A better-auth server with users who share one password. */
export class BetterAuth {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => void;
  readonly #options: BetterAuthOptions;

  private constructor(server: PeerServer, options: BetterAuthOptions) {
    this.url = server.url;
    this.pid = server.pid;
    this.stop = () => server.stop();
    this.#options = options;
  }

  static async start(
    start: (env: Record<string, string>) => Promise<PeerServer>,
    options: BetterAuthOptions,
  ): Promise<BetterAuth> {
    const server = await start({
      SESSIONS: options.sessions,
      HASHING: options.hashing,
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      POOL_MAX,
      EMAILS: JSON.stringify(options.emails),
      PASSWORD: options.password,
      BETTER_AUTH_SECRET: options.secret ?? randomBytes(32).toString('base64'),
    });
    return new BetterAuth(server, options);
  }

  /** Headers that a browser of this origin sends; better-auth checks them when there are cookies. */
  get headers(): Record<string, string> {
    return { origin: this.url };
  }

  /** Returns the cookies of a new session. */
  async signIn(email: string): Promise<string> {
    const reply = await this.#signIn(email, this.#options.password);
    assert.equal(reply.status, 200, `better-auth sign-in: ${await reply.text()}`);
    return cookiesOf(reply);
  }

  /**
   * Returns the cookies of a session as a browser sends them after a read: the cookie cache is filled if it was missing.
   * @throws AssertionError unless the session is that of the user.
   */
  async freshCookies(email: string, cookies: string): Promise<string> {
    const [sessionToken = ''] = cookies.split('; ');
    const reply = await this.#get('/api/auth/get-session', sessionToken);
    const session = (await reply.json()) as { user: { email: string } } | null;
    assert.equal(session?.user.email, email, 'better-auth reads another session than that of the user');
    return [sessionToken, cookiesOf(reply)].filter(Boolean).join('; ');
  }

  /** Verifies the stored hash, and that passwords, sessions and their end are checked. @throws AssertionError */
  async assertWorks(): Promise<void> {
    assert.match(await storedHash(this.#options.databaseUrl), STORED_HASHES[this.#options.hashing]);
    const [email = ''] = this.#options.emails;
    const refused = await this.#signIn(email, `${this.#options.password}!`);
    assert.equal(refused.status, 401, 'better-auth refuses a wrong password');
    const cookies = await this.signIn(email);
    await this.freshCookies(email, cookies);
    const signOut = await this.#post('/api/auth/sign-out', {}, { cookie: cookies });
    assert.equal(signOut.status, 200, 'better-auth ends a session');
    // With its cookies, the cache would still answer.
    const [sessionToken = ''] = cookies.split('; ');
    const ended = await this.#get('/api/auth/get-session', sessionToken);
    assert.equal(await ended.text(), 'null', 'better-auth refuses an ended session');
  }

  #signIn(email: string, password: string): Promise<Response> {
    const address = { 'x-forwarded-for': clientAddress(0) };
    return this.#post('/api/auth/sign-in/email', { email, password }, address);
  }

  #post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.headers, ...headers },
      body: JSON.stringify(body),
    });
  }

  #get(path: string, cookie: string): Promise<Response> {
    return fetch(this.url + path, { headers: { ...this.headers, cookie } });
  }
}

const cookiesOf = (reply: Response): string =>
  reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
