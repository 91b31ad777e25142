import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@latchkey/client';
import { startTestService, type TestService } from '../support/service.js';
import { clientOf, signedInClient } from './client-fixture.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const UNKNOWN_ID = '0b8f3a52-6d0e-4b58-9a55-1f2b8e0c7a01';

describe('a request of the client', () => {
  it('returns the data without the envelope', async () => {
    const { client, user } = await signedInClient(service);
    const { data } = await client.me();
    expect(data).toMatchObject({ id: user.id, email: user.email });
  });

  it('sends path, query, header and body', async () => {
    const { client } = await signedInClient(service, { maxRetryWaitSeconds: 0 }, { role: 'PLATFORM_ADMIN' });
    const listed = await client.request('GET', '/internal/users', { query: { limit: 1, isActive: true } });
    expect(listed.data).toHaveLength(1);
    expect(listed.response?.headers.get('x-total-count')).toMatch(/^\d+$/);
    const missing = await client.request('GET', '/internal/users/{id}', { path: { id: UNKNOWN_ID } });
    expect(missing.error).toMatchObject({ code: 'not_found', reason: 'user_not_found', status: 404 });
    const access = await client.access(UNKNOWN_ID);
    expect(access.error).toMatchObject({ code: 'service_unavailable' });
    const patched = await client.request('PATCH', '/auth/me', { body: { fullName: 'Grace Hopper' } });
    expect(patched.data?.name).toBe('Grace Hopper');
  });

  it('returns the key set, which has no envelope', async () => {
    const { client } = await clientOf(service);
    const { data } = await client.request('GET', '/.well-known/jwks.json');
    expect(data?.keys).toHaveLength(1);
  });

  it('returns an error with its reason, its fields and the id of the request', async () => {
    const { client } = await clientOf(service);
    const { ok, error } = await client.request('POST', '/auth/register', {
      body: { email: 'nope', password: 'long enough', fullName: 'Nope' },
    });
    expect(ok).toBe(false);
    expect(error).toMatchObject({
      code: 'validation_error',
      status: 400,
      fields: [{ pointer: '/email', reason: 'format' }],
      requestId: expect.stringMatching(/.{8,}/) as string,
    });
  });

  it('is sent once if the service cannot be reached, and reports a network failure', async () => {
    const { client, store, proxy } = await signedInClient(service);
    proxy.follow(() => 'refuse');
    const { error, response } = await client.me();
    expect(error).toMatchObject({ code: 'network_failure' });
    expect(response).toBeUndefined();
    expect(store.session).toBeDefined();
    expect(client.session.state.status).toBe('signed_in');
  });

  it('reports a response that is not of the service as unexpected', async () => {
    const html = () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const client = createClient({ baseUrl: service.url, tokens: 'memory', fetch: html });
    expect((await client.me()).error).toMatchObject({ code: 'unexpected_response', status: 502 });
    const okay = () => Promise.resolve(new Response('<h1>Welcome</h1>'));
    const portal = createClient({ baseUrl: service.url, tokens: 'memory', fetch: okay });
    expect((await portal.me()).error).toMatchObject({ code: 'unexpected_response', status: 200 });
  });

  it('reports the time that a proxy asks to wait', async () => {
    const limit = () =>
      Promise.resolve(new Response('Slow down', { status: 429, headers: { 'retry-after': '120' } }));
    const client = createClient({ baseUrl: service.url, tokens: 'memory', fetch: limit });
    expect((await client.me()).error).toMatchObject({ code: 'unexpected_response', retryAfterSeconds: 120 });
  });

  it('ends with `aborted` when its signal aborts', async () => {
    const { client } = await signedInClient(service);
    const controller = new AbortController();
    const pending = client.request('GET', '/auth/me', { signal: controller.signal });
    controller.abort();
    expect((await pending).error).toMatchObject({ code: 'aborted' });
  });

  it('without a session gets the 401 of the service and refreshes nothing', async () => {
    const { client, proxy } = await clientOf(service);
    expect((await client.me()).error).toMatchObject({ code: 'unauthorized' });
    expect(proxy.requests).toEqual(['GET /auth/me']);
  });
});

describe('a service that asks to wait', () => {
  it.each([429, 503])(
    'is asked again after Retry-After of a %d, for an idempotent request',
    async (status) => {
      const { client, store, proxy } = await signedInClient(service);
      const { session } = store;
      proxy.follow((_route, earlier) => (earlier === 0 ? { status, retryAfter: 1 } : undefined));
      const begun = performance.now();
      expect((await client.me()).ok).toBe(true);
      expect(performance.now() - begun).toBeGreaterThan(950);
      expect(proxy.count('GET /auth/me')).toBe(2);
      expect(store.session).toEqual(session);
    },
  );

  it('is not asked again by a request that may have effects', async () => {
    const { client, proxy } = await signedInClient(service);
    proxy.follow(() => ({ status: 503, retryAfter: 1 }));
    const { error } = await client.sessions.revokeOthers();
    expect(error).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 });
    expect(proxy.count('POST /auth/logout-others')).toBe(1);
  });

  it('is not waited for beyond the bound, and the tokens are kept', async () => {
    const { client, store, proxy } = await signedInClient(service, { maxRetryWaitSeconds: 1 });
    proxy.follow(() => ({ status: 429, retryAfter: 900 }));
    expect((await client.me()).error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 900 });
    expect(proxy.count('GET /auth/me')).toBe(1);
    expect(store.session).toBeDefined();
  });

  it('is asked a bounded number of times even if it always answers with a short wait', async () => {
    const { client, proxy } = await signedInClient(service, { maxRetryWaitSeconds: 1 });
    proxy.follow(() => ({ status: 503, retryAfter: 0 }));
    expect((await client.me()).error).toMatchObject({ code: 'service_unavailable' });
    expect(proxy.count('GET /auth/me')).toBe(5);
  });

  it('is no longer waited for when the signal of the request aborts', async () => {
    const { client, proxy } = await signedInClient(service);
    proxy.follow(() => ({ status: 503, retryAfter: 9 }));
    const { error } = await client.request('GET', '/auth/me', { signal: AbortSignal.timeout(200) });
    expect(error).toMatchObject({ code: 'aborted' });
  });
});

describe('the address of the service', () => {
  it('may end with slashes', async () => {
    const client = createClient({ baseUrl: `${service.url}//`, tokens: 'memory' });
    expect((await client.request('GET', '/health')).data).toEqual({ status: 'ok' });
  });

  it('must be one', () => {
    expect(() => createClient({ baseUrl: 'auth.example.com', tokens: 'memory' })).toThrow(
      /is no address like/,
    );
  });
});
