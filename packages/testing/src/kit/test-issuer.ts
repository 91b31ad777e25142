import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger, type AuthenticationLevel, type GlobalRole } from '@latchkey/core';
import { systemClock, type Clock } from '@latchkey/core/internal/kernel/clock';
import { newId } from '@latchkey/core/internal/kernel/id';
import { AccessTokens } from '@latchkey/core/internal/tokens/access-token';
import { checkedExtraClaims } from '@latchkey/core/internal/tokens/extra-claims';
import { generateSigningKey, KEY_SET_MAX_AGE, KeySet, type PublicJwk } from '@latchkey/core/keys';
import { parseDuration } from '@latchkey/core/settings';
import { kitKey } from './kit-key.js';

/** The issuer and audience of test tokens. */
export interface TestIssuerOptions {
  /** The `iss` of its tokens. Defaults to its address. */
  issuer?: string;
  /** Defaults to latchkey, as in a service without settings. */
  audience?: string;
}

/** The claims of a test token; all have defaults, and the token is valid for 15 minutes. */
export interface NewTestToken {
  /** The user's id. Defaults to a new one. */
  sub?: string;
  /** The session's id. Defaults to a new one. */
  sessionId?: string;
  /** Defaults to NONE. */
  globalRole?: GlobalRole;
  /** Time of the sign-in, in seconds since the epoch. Defaults to now. */
  authTime?: number;
  /** Methods of the sign-in, in values of RFC 8176. Defaults to the password. */
  amr?: readonly string[];
  /** Level of the sign-in. Defaults to `aal2` if the methods contain `mfa`, else to `aal1`. */
  acr?: AuthenticationLevel;
  /** Claims that a host app adds. */
  claims?: Record<string, unknown>;
  /** Seconds, or text such as `15m`. Negative: the token expired so many seconds ago. */
  expiresIn?: number | string;
  /** The audience, instead of the issuer's. */
  audience?: string;
  /** The `iss` claim, instead of the issuer's own. */
  issuer?: string;
}

const PATH = '/.well-known/jwks.json';
const LIFETIME = 900;

/**
 * Issues tokens like the service and publishes the keys to check them, for tests of services that only verify.
 * @example
 * ```ts
 * const issuer = await createTestIssuer();
 * await issuer.rotate();
 * issuer.jwks.keys.length; // → 2
 * await issuer.close();
 * ```
 */
export class TestIssuer implements AsyncDisposable {
  /** Its address, which is the default `iss` of its tokens. */
  readonly url: string;
  /** The URL of its key set. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly #server: Server;
  #keys: KeySet;
  /** Every key so far, as PEM: those before the last still verify. */
  #former: string[];

  private constructor(server: Server, keys: KeySet, pem: string, options: TestIssuerOptions) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.jwksUrl = `${this.url}${PATH}`;
    this.issuer = options.issuer ?? this.url;
    this.audience = options.audience ?? 'latchkey';
    this.#server = server;
    this.#keys = keys;
    this.#former = [pem];
  }

  static async start(options: TestIssuerOptions): Promise<TestIssuer> {
    const pem = await kitKey();
    const keys = await KeySet.fromPem(pem);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    // A server alone does not keep a program alive whose issuer was not closed.
    server.unref();
    const issuer = new TestIssuer(server, keys, pem, options);
    server.on('request', ({ method, url }, response) => {
      const isKeySet = method === 'GET' && url === PATH;
      response.statusCode = isKeySet ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', `public, max-age=${KEY_SET_MAX_AGE}`);
      response.end(JSON.stringify(isKeySet ? issuer.jwks : { keys: [] }));
    });
    return issuer;
  }

  /** The published key set. */
  get jwks(): { keys: PublicJwk[] } {
    return this.#keys.toJwks();
  }

  /** Returns an access token with these claims. @throws TypeError for an invalid duration or reserved claims. */
  async token(wanted: NewTestToken = {}): Promise<string> {
    const { globalRole = 'NONE', amr = ['pwd'], claims = {} } = wanted;
    const acr = wanted.acr ?? (amr.includes('mfa') ? 'aal2' : 'aal1');
    const { ttl, clock } = lifetimeOf(wanted.expiresIn ?? LIFETIME);
    const tokens = new AccessTokens(this.#keys, {
      issuer: wanted.issuer ?? this.issuer,
      audience: wanted.audience ?? this.audience,
      ttl,
      clock,
      logger: silentLogger,
    });
    return tokens.issue({
      userId: wanted.sub ?? newId(),
      sessionId: wanted.sessionId ?? newId(),
      globalRole,
      tokenVersion: 0,
      authTime: wanted.authTime ?? Math.floor(clock.now() / 1000),
      amr,
      acr,
      claims: checkedExtraClaims(claims),
    });
  }

  /** Returns the headers of a request with such a token. */
  async headers(wanted: NewTestToken = {}): Promise<{ authorization: string }> {
    return { authorization: `Bearer ${await this.token(wanted)}` };
  }

  /** Signs with a new key from now on. Both are published, so that tokens of the former key stay valid. */
  async rotate(): Promise<void> {
    const next = await generateSigningKey();
    this.#keys = await KeySet.fromPem(next, this.#former.join('\n'));
    this.#former.unshift(next);
  }

  /** Removes the former keys from the key set: their tokens become invalid. */
  async retireFormerKeys(): Promise<void> {
    const [signing = ''] = this.#former;
    this.#keys = await KeySet.fromPem(signing);
    this.#former = [signing];
  }

  /** Closes the issuer. Calling it twice is safe. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Creates an issuer of tokens with its key set on a free port of 127.0.0.1. Needs no database.
 * @example
 * ```ts
 * const issuer = await createTestIssuer();
 * const token = await issuer.token({ sub: 'ann' });
 * const published = await fetch(issuer.jwksUrl);
 * published.status; // → 200
 * await issuer.close();
 * ```
 */
export function createTestIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  return TestIssuer.start(options);
}

/** Returns the lifetime; an expired token was issued the default lifetime before its expiry. */
function lifetimeOf(expiresIn: number | string): { ttl: number; clock: Clock } {
  const seconds = typeof expiresIn === 'number' ? expiresIn : parseDuration(expiresIn);
  if (seconds === undefined || !Number.isSafeInteger(seconds)) {
    throw new TypeError(
      `token: expiresIn is ${JSON.stringify(expiresIn)}; give whole seconds, or text such as 15m or 30s`,
    );
  }
  if (seconds > 0) return { ttl: seconds, clock: systemClock };
  const ago = (LIFETIME - seconds) * 1000;
  return { ttl: LIFETIME, clock: { ...systemClock, now: () => Date.now() - ago } };
}
