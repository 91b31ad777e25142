import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuards } from '@latchkey/express-adapter';
import { createVerifier, type VerificationError, type Verifier } from '@latchkey/verifier';
import {
  findCaller,
  getCaller,
  optionalAuth,
  requireAuth,
  requireFactors,
  requireFresh,
  requireRole,
} from '@latchkey/verifier/express';
import { ApiClient, type Answer, type ApiOptions } from '../support/api-client.js';
import { signRs256, takeApart } from '../support/forged-token.js';
import { twice } from '../support/guarded-host.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { FEED_KEY, FeedService } from '../support/verifier/feed-service.js';
import { waitUntil } from '../support/wait-until.js';

let service: TestService;
let feed: FeedService;
let verifier: Verifier;
let client: ApiClient;
let stopHost: () => Promise<unknown>;

/** The same paths below `/service`, with the guards of the service, and below `/verifier`. */
function mountAll(app: Express): void {
  const guards = createGuards(service.auth);
  const routes = [
    ['/auth', guards.requireAuth, requireAuth(verifier)],
    ['/optional', guards.optionalAuth, optionalAuth(verifier)],
    ['/staff', guards.requireRole('PLATFORM_ADMIN'), requireRole(verifier, 'PLATFORM_ADMIN')],
    ['/fresh', guards.requireFresh('5m'), requireFresh(verifier, '5m')],
  ] as const;
  const reply = (request: express.Request, response: express.Response): void =>
    void response.json({ caller: findCaller(request) ?? null });
  for (const [path, ofService, ofVerifier] of routes) {
    app.get(`/service${path}`, ofService, reply);
    app.get(`/verifier${path}`, ofVerifier, reply);
  }
  app.get('/verifier/factors', requireFactors(verifier, 2), reply);
  app.get('/verifier/unguarded', (request, response) => void response.json(getCaller(request)));
}

async function serve(listener: RequestListener): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

beforeAll(async () => {
  service = await startTestService();
  feed = await FeedService.start();
  const { issuer, audience } = service.auth.settings.tokens;
  verifier = await createVerifier({
    issuer,
    audience,
    url: feed.url,
    credential: { internalApiKey: FEED_KEY },
  });
  const app = express();
  mountAll(app);
  const host = await serve(app);
  stopHost = host.stop;
  client = new ApiClient(host.url);
});

afterAll(async () => {
  client.close();
  verifier.close();
  await stopHost();
  await feed.stop();
  await service.stop();
});

/** Without what differs from one response to the next. */
function comparable({ status, headers, text }: Answer): object {
  const { date, 'x-request-id': id, ...rest } = headers;
  expect([typeof date, typeof id]).toEqual(['string', 'string']);
  return { status, headers: rest, body: JSON.parse(text) as unknown };
}

async function both(path: string, options: ApiOptions): Promise<[object, object]> {
  const ofService = await client.send('GET', `/service${path}`, options);
  const ofVerifier = await client.send('GET', `/verifier${path}`, options);
  return [comparable(ofService), comparable(ofVerifier)];
}

describe('a refusal', () => {
  const accepted = [
    undefined,
    'application/problem+json',
    'application/problem+json;q=0.5, application/json',
    '*/*',
  ];

  it.each(accepted)('the verifier responds like the service to a client that accepts %s', async (accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const user = await signedInUser(service);
    const { header, claims } = takeApart(user.token);
    const old = signRs256({
      header,
      claims: { ...claims, amr: ['pwd'], auth_time: Number(claims.auth_time) - 400 },
    });
    const ended = await mintTokens(service, user.id);
    await service.api('POST', '/auth/logout', { body: { refreshToken: ended.refreshToken } });
    feed.revokeSession(String(takeApart(ended.token).claims.sid));
    await waitUntil(() => verifier.status.entries > 0, { what: 'the entry' });

    const requests: [path: string, options: ApiOptions][] = [
      ['/auth', { headers }],
      ['/auth', { headers, token: 'x.y.z' }],
      ['/auth', { headers: { ...headers, authorization: 'Basic abc' } }],
      ['/optional', { headers, token: 'x.y.z' }],
      ['/staff', { headers, token: user.token }],
      ['/fresh', { headers, token: user.token }],
      ['/fresh', { headers, token: old }],
      ['/auth', { headers, token: ended.token }],
    ];
    for (const [path, options] of requests) {
      const [ofService, ofVerifier] = await both(path, options);
      expect(ofVerifier).toEqual(ofService);
    }
  });

  it('two Authorization headers are refused, as the service does', async () => {
    const { token } = await signedInUser(service);
    const [ofService, ofVerifier] = await both('/auth', {
      headers: twice('authorization', `Bearer ${token}`),
    });
    expect(ofVerifier).toEqual(ofService);
  });

  it('the request id of a caller is used if it is well-formed', async () => {
    const answers = await Promise.all(
      ['an-id-of-ours', 'two\twords'].map((id) =>
        client.send('GET', '/verifier/auth', { headers: { 'x-request-id': id } }),
      ),
    );
    expect(answers[0]?.headers['x-request-id']).toBe('an-id-of-ours');
    expect(answers[1]?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a response of the Fetch API has the status, headers and body that the guard sends', async () => {
    const error = (await verifier
      .authenticate(new Request('http://a.example'))
      .catch((reason: unknown) => reason)) as VerificationError;
    const response = error.toResponse(
      new Request('http://a.example', { headers: { accept: 'application/problem+json' } }),
    );
    const sent = await client.send('GET', '/verifier/auth', {
      headers: { accept: 'application/problem+json' },
    });
    expect([response.status, await response.text()]).toEqual([sent.status, sent.text]);
    for (const [name, value] of response.headers) expect(sent.headers[name]).toBe(value);
  });
});

describe('an accepted request', () => {
  it('the caller is that of the token, and the response has no header of the guard', async () => {
    const user = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    for (const path of ['/auth', '/optional', '/staff']) {
      const answer = await client.send('GET', `/verifier${path}`, { token: user.token });
      expect(JSON.parse(answer.text)).toMatchObject({
        caller: { userId: user.id, globalRole: 'PLATFORM_ADMIN' },
      });
      expect(answer.headers).not.toHaveProperty('x-request-id');
    }
  });

  it('an anonymous request passes optionalAuth only', async () => {
    expect(JSON.parse((await client.send('GET', '/verifier/optional')).text)).toEqual({ caller: null });
  });

  it('a route without a guard fails when it asks for the caller', async () => {
    expect((await client.send('GET', '/verifier/unguarded')).status).toBe(500);
  });

  const withClaims = async (changes: Record<string, unknown>): Promise<string> => {
    const { header, claims } = takeApart((await signedInUser(service)).token);
    return signRs256({ header, claims: { ...claims, ...changes } });
  };

  it('a fresh sign-in in person passes requireFresh', async () => {
    const statusOf = async (amr: readonly string[]): Promise<number> =>
      (await client.send('GET', '/verifier/fresh', { token: await withClaims({ amr }) })).status;
    for (const amr of [['pwd'], ['hwk', 'user'], ['otp'], ['fed', 'otp'], ['mca', 'otp', 'user']]) {
      expect(await statusOf(amr), amr.join(' ')).toBe(200);
    }
    // A session that a machine created, the hand-off of one, and a sign-in of which nothing is known.
    for (const amr of [['mca'], ['mca', 'otp'], []]) expect(await statusOf(amr), amr.join(' ')).toBe(401);
  });

  it.each([
    [{ acr: 'aal2', amr: ['hwk', 'user'] }, 200],
    [{ acr: undefined, amr: ['pwd', 'otp', 'mfa'] }, 200],
    [{ acr: 'aal1', amr: ['pwd', 'mfa'] }, 401],
    [{ acr: 'unknown', amr: ['mfa'] }, 401],
    [{ acr: undefined, amr: ['pwd', 'otp'] }, 401],
  ])('a sign-in with %j gets %d from requireFactors(2)', async (claims, status) => {
    const answer = await client.send('GET', '/verifier/factors', { token: await withClaims(claims) });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.code).toBe('reauthentication_required');
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="aal2"',
    );
  });
});

describe('a guard on a plain server of Node', () => {
  it('a guard calls what it is given to go on, or responds', async () => {
    const guard = requireAuth(verifier);
    const plain = await serve((request, response) => {
      void guard(request, response, () => response.end(getCaller(request).userId));
    });
    const { id, token } = await signedInUser(service);
    const accepted = await fetch(plain.url, { headers: { authorization: `Bearer ${token}` } });
    expect([accepted.status, await accepted.text()]).toEqual([200, id]);
    expect((await fetch(plain.url)).status).toBe(401);
    await plain.stop();
  });
});

describe('a mistake', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['a guard without its call', () => requireAuth({ headers: {} } as never), /requireAuth\(verifier\)/],
    [
      'a verifier that is not awaited',
      () => requireRole(Promise.resolve(verifier) as never),
      /Await createVerifier/,
    ],
    ['no role', () => requireRole(verifier), /at least one platform role/],
    ['an unknown role', () => requireRole(verifier, 'ADMIN' as never), /not a platform role/],
    ['no age', () => requireFresh(verifier, 'soon'), /must be a duration/],
    ['three factors', () => requireFactors(verifier, 3 as never), /must be 1 or 2/],
  ])('%s is a TypeError that says what to write', (_what, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});
