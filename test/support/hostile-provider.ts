import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  importSPKI,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type JWK,
  type JWTPayload,
} from 'jose';
import { onTestFinished } from 'vitest';

/** A person at the provider, as claims say it. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  [claim: string]: unknown;
}

/** What a provider does wrong, each by itself. Nothing is wrong by default. */
export interface Faults {
  /** Changes claims of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Signs with another algorithm than RS256; `none` leaves the signature out. */
  algorithm?: 'none' | 'HS256' | 'RS512' | 'ES256' | 'PS256' | 'EdDSA';
  /** Signs with a key that is not published, under the published id. */
  signature?: 'other key' | 'damaged';
  /** The subject that the userinfo endpoint names. */
  userinfoSubject?: string;
  /** Leaves the ID token out of the response. */
  withoutIdToken?: boolean;
  /** Another hash of the access token. */
  atHash?: string;
  /** What the provider does in place of an answer, at these paths. */
  answers?:
    | 'never'
    | 'endless'
    | 'slowly'
    | 'late'
    | 'hangs up'
    | 'errors'
    | 'redirects'
    | 'too much'
    | 'no JSON'
    | 'deep';
  at?: ('discovery' | 'token' | 'keys' | 'userinfo')[];
  /** Refuses the code: the error of RFC 6749. */
  refuses?: string;
  /** Changes the metadata; undefined removes a field. */
  metadata?: Record<string, unknown>;
}

interface Grant {
  clientId: string;
  redirectUri: string;
  nonce: string | undefined;
  challenge: string;
  maxAge: string | undefined;
  person: Person;
}

/** The client that is registered at every hostile provider. */
export const PROVIDER_CLIENT = { id: 'latchkey-tests', secret: 'the secret of the test client' };

const RSA = await generateKeyPair('RS256', { extractable: true });
const RSA_PSS = await generateKeyPair('PS256', { extractable: true });
const OTHER_RSA = await generateKeyPair('RS256', { extractable: true });
const EC = await generateKeyPair('ES256', { extractable: true });
const ED = await generateKeyPair('EdDSA', { extractable: true });
const RS512 = await generateKeyPair('RS512', { extractable: true });
const SIGNERS = { RS256: RSA, PS256: RSA_PSS, ES256: EC, EdDSA: ED, RS512 } as const;

/** An OpenID provider of this process. It answers as standards say, until a test gives it a fault. */
export class HostileProvider {
  faults: Faults = {};
  /** Every request: method and path. */
  readonly requests: string[] = [];
  /** The registered public key as PEM and its algorithm, of a client that has no secret (`private_key_jwt`). */
  clientKey: { pem: string; algorithm: string } | undefined;
  /** Every access token that was given out. */
  readonly tokens: string[] = [];
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #assertions = new Set<string>();
  readonly #people = new Map<string, Person>();
  /** The issuer that metadata and tokens name; by default the address. */
  issuer = '';

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<HostileProvider> {
    const server = createServer((request, response) => {
      void provider.#serve(request, response);
    });
    const provider = new HostileProvider(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A process that only has the provider ends.
    server.unref();
    provider.issuer = provider.url;
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Has faults until the test ends. */
  with(faults: Faults): void {
    this.faults = faults;
    onTestFinished(() => {
      this.faults = {};
    });
  }

  /**
   * What the browser of a person does: opens the address, signs in, and comes back.
   * @returns the parameters of the response.
   */
  visit(authorizationUrl: string, person: Person): { state: string; code: string; iss: string } {
    const { searchParams } = new URL(authorizationUrl);
    const parameter = (name: string) => searchParams.get(name) ?? undefined;
    const code = randomBytes(16).toString('base64url');
    this.#grants.set(code, {
      clientId: parameter('client_id') ?? '',
      redirectUri: parameter('redirect_uri') ?? '',
      nonce: parameter('nonce'),
      challenge: parameter('code_challenge') ?? '',
      maxAge: parameter('max_age'),
      person,
    });
    return { state: parameter('state') ?? '', code, iss: this.issuer };
  }

  /** A logout token of this provider. Claims that are undefined are left out. */
  logoutToken(claims: Record<string, unknown>, typ = 'logout+jwt'): Promise<string> {
    const all = {
      iss: this.issuer,
      aud: PROVIDER_CLIENT.id,
      iat: now(),
      exp: now() + 120,
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims,
    };
    return this.#sign(withoutUndefined(all), typ);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.url);
    this.requests.push(`${request.method ?? ''} ${pathname}`);
    const place = PLACES.find(([suffix]) => pathname.endsWith(suffix))?.[1];
    if (!place) {
      response.writeHead(404).end();
      return;
    }
    const { answers, at = ['token'] } = this.faults;
    if (answers !== undefined && at.includes(place) && !(await misbehave(answers, response))) return;
    if (place === 'discovery') json(response, this.#metadata());
    else if (place === 'keys') json(response, { keys: await publishedKeys() });
    else if (place === 'userinfo') this.#userinfo(request, response);
    else await this.#token(await formOf(request), request, response);
  }

  #metadata(): Record<string, unknown> {
    const base = this.issuer.includes('microsoftonline') ? 'https://login.microsoftonline.com' : this.url;
    return withoutUndefined({
      issuer: this.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/keys`,
      userinfo_endpoint: `${base}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'RS512', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      ...this.faults.metadata,
    });
  }

  #userinfo(request: IncomingMessage, response: ServerResponse): void {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const person = this.#people.get(token);
    if (!person) {
      response.writeHead(401).end();
      return;
    }
    const { userinfoSubject: sub = person.sub } = this.faults;
    json(response, { ...person, ...this.faults.claims, sub });
  }

  /** Codes are spent whether or not the request is right (RFC 6749, section 4.1.2). */
  async #token(form: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = proof === grant?.challenge && form.get('redirect_uri') === grant.redirectUri;
    const { refuses } = this.faults;
    const isOurs = this.clientKey ? await this.#isSignedBy(this.clientKey, form) : isOurClient(request, form);
    if (!isRight || refuses !== undefined || !isOurs) {
      json(response, { error: refuses ?? 'invalid_grant' }, 400);
      return;
    }
    const accessToken = `at_${randomBytes(24).toString('base64url')}`;
    this.tokens.push(accessToken);
    this.#people.set(accessToken, grant.person);
    const idToken = await this.#idToken(grant, accessToken);
    this.tokens.push(idToken);
    json(response, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      ...(this.faults.withoutIdToken !== true && { id_token: idToken }),
    });
  }

  /** Verifies the assertion of a client (RFC 7523, section 3). Each is accepted once. */
  async #isSignedBy({ pem, algorithm }: { pem: string; algorithm: string }, form: URLSearchParams) {
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    if (form.has('client_secret') || form.get('client_assertion_type') !== type) return false;
    try {
      const key = await importSPKI(pem, algorithm);
      const { payload } = await jwtVerify(form.get('client_assertion') ?? '', key, {
        algorithms: [algorithm],
        issuer: PROVIDER_CLIENT.id,
        subject: PROVIDER_CLIENT.id,
        audience: [this.issuer, `${this.url}/token`],
        requiredClaims: ['exp', 'jti'],
      });
      const isNew = !this.#assertions.has(String(payload.jti));
      this.#assertions.add(String(payload.jti));
      return isNew;
    } catch {
      return false;
    }
  }

  #idToken({ clientId, nonce, maxAge, person }: Grant, accessToken: string): Promise<string> {
    const hash = createHash('sha256').update(accessToken).digest();
    const claims = {
      iss: this.issuer,
      aud: clientId,
      iat: now(),
      exp: now() + 300,
      nonce,
      at_hash: this.faults.atHash ?? hash.subarray(0, 16).toString('base64url'),
      ...(maxAge !== undefined && { auth_time: now() }),
      ...person,
      ...this.faults.claims,
    };
    return this.#sign(withoutUndefined(claims));
  }

  async #sign(claims: JWTPayload, typ = 'JWT'): Promise<string> {
    const { algorithm = 'RS256', signature } = this.faults;
    if (algorithm === 'none') return new UnsecuredJWT(claims).encode();
    const header = { alg: algorithm, typ, kid: algorithm };
    if (algorithm === 'HS256') {
      // The known confusion of algorithms: the public key as the secret.
      const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(RSA.publicKey)));
      return new SignJWT(claims).setProtectedHeader(header).sign(secret);
    }
    const key = signature === 'other key' ? OTHER_RSA.privateKey : SIGNERS[algorithm].privateKey;
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(key);
    return signature === 'damaged' ? `${token.slice(0, -8)}AAAAAAAA` : token;
  }
}

const PLACES = [
  ['/.well-known/openid-configuration', 'discovery'],
  ['/token', 'token'],
  ['/keys', 'keys'],
  ['/userinfo', 'userinfo'],
] as const;

const SLOW_MS = 6_000;
/** Within the limit of one answer; two in a row exceed that of a whole sign-in. */
const LATE_MS = 2_300;
const TOO_MUCH = 200_000;

/** Does not answer as it should. @returns true if the right answer follows after all. */
async function misbehave(how: NonNullable<Faults['answers']>, response: ServerResponse): Promise<boolean> {
  switch (how) {
    case 'never':
      return false;
    case 'late':
      await new Promise((resolve) => setTimeout(resolve, LATE_MS).unref());
      return !response.destroyed;
    case 'hangs up':
      response.destroy();
      return false;
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
      return false;
    }
    case 'slowly':
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS).unref());
      return !response.destroyed;
    case 'errors':
      response.writeHead(503).end('{}');
      return false;
    case 'redirects':
      response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
      return false;
    case 'too much':
      json(response, { filler: 'x'.repeat(TOO_MUCH) });
      return false;
    case 'no JSON':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>maintenance');
      return false;
    case 'deep':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${'['.repeat(500)}${']'.repeat(500)}`);
      return false;
  }
}

function isOurClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
  const basic = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
  const [id = form.get('client_id') ?? '', secret = form.get('client_secret') ?? ''] =
    headers.authorization === undefined
      ? []
      : basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  return id === PROVIDER_CLIENT.id && secret === PROVIDER_CLIENT.secret;
}

async function publishedKeys(): Promise<JWK[]> {
  const keys = Object.entries(SIGNERS).map(async ([alg, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid: alg,
    alg,
    use: 'sig',
  }));
  return Promise.all(keys);
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const withoutUndefined = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const now = (): number => Math.floor(Date.now() / 1000);
