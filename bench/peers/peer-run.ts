import { BenchEnvironment, PASSWORD } from '../support/environment.js';
import { createDatabase } from './better-auth-database.js';
import { BetterAuth, type BetterAuthOptions } from './better-auth.js';
import { Latchkey } from './latchkey.js';
import { startPeerServer, type PeerServer } from './peer-server.js';

/** better-auth as it is compared: by its storage of sessions, and with the password hash that it ships. */
export type BetterAuthVariant = 'database' | 'redis' | 'cookie' | 'scrypt';

const VARIANTS: Record<BetterAuthVariant, Pick<BetterAuthOptions, 'sessions' | 'hashing'>> = {
  database: { sessions: 'database', hashing: 'argon2' },
  redis: { sessions: 'redis', hashing: 'argon2' },
  cookie: { sessions: 'cookie', hashing: 'argon2' },
  scrypt: { sessions: 'database', hashing: 'scrypt' },
};

/** Servers and users of one run. Peers start when a group first needs them. */
export class PeerRun {
  readonly environment: BenchEnvironment;
  readonly latchkey: Latchkey;
  readonly #betterAuth = new Map<BetterAuthVariant, Promise<BetterAuth>>();

  private constructor(environment: BenchEnvironment, latchkey: Latchkey) {
    this.environment = environment;
    this.latchkey = latchkey;
  }

  /** Starts PostgreSQL, Redis and Latchkey, and verifies Latchkey's answers. @throws Error without Redis. */
  static async open(): Promise<PeerRun> {
    // Users sign in from addresses of their own, as they do behind a proxy.
    const environment = await BenchEnvironment.open({ TRUST_PROXY: '127.0.0.1' });
    try {
      if (environment.settings.REDIS_URL === undefined) {
        throw new Error('redis-server is not on the path; the comparison needs it.');
      }
      const latchkey = new Latchkey(environment.service, PASSWORD);
      await latchkey.assertWorks(environment.emails[0] ?? '');
      return new PeerRun(environment, latchkey);
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  /** Returns a server whose answers were verified. */
  betterAuth(variant: BetterAuthVariant): Promise<BetterAuth> {
    const running = this.#betterAuth.get(variant) ?? this.#startBetterAuth(variant);
    this.#betterAuth.set(variant, running);
    return running;
  }

  /** Starts a file of `servers/`, which ends with the run. */
  async startServer(file: string, env: Record<string, string>): Promise<PeerServer> {
    const server = await startPeerServer(file, env);
    this.environment.onClose(() => server.stop());
    return server;
  }

  close(): Promise<void> {
    return this.environment.close();
  }

  async #startBetterAuth(variant: BetterAuthVariant): Promise<BetterAuth> {
    const { postgres, settings, emails } = this.environment;
    const server = await BetterAuth.start((env) => this.startServer('better-auth-server.js', env), {
      ...VARIANTS[variant],
      databaseUrl: await createDatabase(postgres.url, `better_auth_${variant}`),
      redisUrl: settings.REDIS_URL ?? '',
      emails,
      password: PASSWORD,
    });
    await server.assertWorks();
    return server;
  }
}
