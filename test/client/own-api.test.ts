import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, stepUpOf, type Client } from '@latchkey/client';
import { createGuards, getAuth } from '@latchkey/express-adapter';
import { startHostApp } from '../support/host-app.js';
import { startTestService, type TestService } from '../support/service.js';
import { signedInClient } from './client-fixture.js';

let service: TestService;
let api: { url: string; stop: () => Promise<void> };
let requests: string[];

beforeAll(async () => {
  service = await startTestService({ env: { AUTH_WEB_COOKIE_MODE: 'true', REFRESH_REUSE_GRACE: '10s' } });
  const { requireAuth, requireFactors } = createGuards(service.auth, { cookies: true });
  const app = await startHostApp((host) => {
    host.use((request, _response, next) => {
      requests.push(`${request.method} ${request.path}`);
      next();
    });
    host.post('/orders', requireAuth, (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.json({ userId: getAuth(request).userId, body }));
    });
    host.get('/old', (_request, response) => {
      response
        .set('WWW-Authenticate', 'Bearer error="insufficient_user_authentication", max_age="60"')
        .status(401)
        .end();
    });
    host.get('/factors', requireFactors(2), (_request, response) => void response.json({}));
    host.get('/bare', (_request, response) => void response.status(401).end());
    host.get(
      '/open',
      (request, response) => void response.json({ token: request.get('authorization') ?? null }),
    );
  });
  api = app;
  requests = [];
});
afterAll(async () => {
  await api.stop();
  await service.stop();
});

const countOf = (route: string): number => requests.filter((each) => each === route).length;

describe('a request to an API of the app', () => {
  it('is sent as the signed-in user, and once more with its body when the token was refused', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    const order = () => client.fetch(`${api.url}/orders`, { method: 'POST', body: 'one' });
    expect(await (await order()).json()).toEqual({ userId: user.id, body: 'one' });
    store.damageToken();
    requests = [];
    expect(await (await order()).json()).toEqual({ userId: user.id, body: 'one' });
    expect(countOf('POST /orders')).toBe(2);
    expect(proxy.count('POST /auth/refresh')).toBe(1);
  });

  it('renews a token that is about to expire before it is sent', async () => {
    const { client, store, proxy } = await signedInClient(service);
    store.makeDue();
    requests = [];
    expect((await client.fetch(new URL('/orders', api.url), { method: 'POST' })).status).toBe(200);
    expect(countOf('POST /orders')).toBe(1);
    expect(proxy.count('POST /auth/refresh')).toBe(1);
  });

  it('ends the session in the client when it was revoked', async () => {
    const { client, user } = await signedInClient(service);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    expect((await client.fetch(`${api.url}/orders`, { method: 'POST' })).status).toBe(401);
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
  });

  it('that needs a step-up is sent once, and the response says which', async () => {
    const { client, proxy } = await signedInClient(service);
    requests = [];
    const old = await client.fetch(`${api.url}/old`);
    expect([old.status, stepUpOf(old)]).toEqual([401, { maxAgeSeconds: 60, acrValues: undefined }]);
    const factors = await client.fetch(`${api.url}/factors`);
    expect(stepUpOf(factors)).toEqual({ maxAgeSeconds: undefined, acrValues: 'aal2' });
    expect(requests).toEqual(['GET /old', 'GET /factors']);
    expect(proxy.count('POST /auth/refresh')).toBe(0);
  });

  it('whose 401 names no cause is repeated once with a new token, and then returned', async () => {
    const { client, proxy } = await signedInClient(service);
    requests = [];
    const response = await client.fetch(`${api.url}/bare`);
    expect([response.status, stepUpOf(response)]).toEqual([401, undefined]);
    expect(countOf('GET /bare')).toBe(2);
    expect(proxy.count('POST /auth/refresh')).toBe(1);
    expect(client.session.state.status).toBe('signed_in');
  });

  it('keeps a token of its own, and has none without a session', async () => {
    const { client } = await signedInClient(service);
    const headers = { authorization: 'Bearer own' };
    expect(await (await client.fetch(`${api.url}/open`, { headers })).json()).toEqual({
      token: 'Bearer own',
    });
    await client.signOut();
    expect(await (await client.fetch(`${api.url}/open`)).json()).toEqual({ token: null });
  });

  it('that does not arrive throws what fetch throws', async () => {
    const { client } = await signedInClient(service);
    await expect(client.fetch('http://127.0.0.1:1/')).rejects.toThrow(TypeError);
  });
});

/** A `fetch` with the cookies of one host, as a browser on it has them. */
function browserFetch(jar: Map<string, string>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
    request.headers.set('origin', service.publicUrl);
    const response = await fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}

describe('cookie mode', () => {
  async function browser(): Promise<{ client: Client; jar: Map<string, string> }> {
    const jar = new Map<string, string>();
    const client = createClient({ baseUrl: service.url, tokens: 'cookies', fetch: browserFetch(jar) });
    const { email, password } = await service.createUser();
    expect((await client.signIn({ email, password })).data).toEqual({ status: 'signed_in' });
    return { client, jar };
  }

  it('a request to an API of the app renews cookies that have expired, and is repeated once', async () => {
    const { client, jar } = await browser();
    jar.delete('__Host-lk_access');
    requests = [];
    expect((await client.fetch(`${api.url}/factors`)).status).toBe(401);
    expect(countOf('GET /factors')).toBe(2);
    expect(jar.has('__Host-lk_access')).toBe(true);
    expect(client.session.state.status).toBe('signed_in');
  });

  it('cookies are renewed on request', async () => {
    const { client, jar } = await browser();
    const before = jar.get('__Host-lk_refresh');
    expect((await client.session.renew()).ok).toBe(true);
    expect(jar.get('__Host-lk_refresh')).not.toBe(before);
    await client.signOut();
    expect((await client.session.renew()).error).toMatchObject({ code: 'unauthorized' });
  });
});

describe('options that cannot work', () => {
  it.each(['cookie', 'inMemory', undefined, null, {}, 7])(
    'tokens: %j is an error that lists the four',
    (tokens) => {
      const create = () => createClient({ baseUrl: 'https://auth.example.com', tokens: tokens as never });
      expect(create).toThrow(TypeError);
      expect(create).toThrow(/'memory', 'localStorage', 'cookies' or a store/);
    },
  );

  it('missing, unknown and mistyped options are errors that name them', () => {
    const create = createClient as (options?: unknown) => unknown;
    const given = { baseUrl: '/id', tokens: 'memory' };
    expect(() => create()).toThrow('createClient: the options are missing; pass { baseUrl, tokens }');
    expect(() => create({ ...given, maxRetryWaitSecond: 3 })).toThrow(
      /unknown option maxRetryWaitSecond; the options are baseUrl, tokens, maxRetryWaitSeconds, fetch/,
    );
    for (const maxRetryWaitSeconds of ['3', -1, NaN, null])
      expect(() => create({ ...given, maxRetryWaitSeconds })).toThrow(
        'maxRetryWaitSeconds must be a number from 0',
      );
    expect(() => create({ ...given, fetch: {} })).toThrow('createClient: fetch must be a function');
    for (const wrong of [undefined, null, 7])
      expect(() => create({ tokens: 'memory', baseUrl: wrong })).toThrow(/^baseUrl: .* is no address/);
    expect(() => create({ ...given, maxRetryWaitSeconds: 0, fetch: undefined })).not.toThrow();
  });

  it.each(['', '/', '/id', '/id/', 'http://localhost:3097'])(
    'baseUrl may be "%s", also while a server renders',
    (baseUrl) => {
      for (const tokens of ['memory', 'localStorage', 'cookies'] as const)
        expect(createClient({ baseUrl, tokens }).session.state.status).toMatch(/unknown|signed_out/);
    },
  );

  it.each(['id', '//evil.example', '/\\evil.example', 'ftp://auth.example.com'])(
    'baseUrl "%s" is an error',
    (baseUrl) => {
      expect(() => createClient({ baseUrl, tokens: 'memory' })).toThrow(
        /no address like .* no path like \/id/,
      );
    },
  );

  it('cookie mode outside of browsers says that it needs one', async () => {
    const client = createClient({ baseUrl: service.url, tokens: 'cookies' });
    const { error } = await client.signIn({ email: 'a@example.com', password: 'x' });
    expect(error?.message).toContain("tokens: 'cookies' needs a browser");
    await expect(client.fetch(api.url)).rejects.toThrow("tokens: 'cookies' needs a browser");
  });
});
