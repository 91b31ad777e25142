import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthHandler, fromForwarded, unknownAddress, type AuthHandler } from '@latchkey/http';
import { authPages } from '@latchkey/pages';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';

const BASE = 'https://auth.example.com/identity';
let service: TestService;
let handler: AuthHandler;

beforeAll(async () => {
  service = await startTestService({ env: { AUTH_BASE_URL: BASE } });
  handler = createAuthHandler(service.auth, { clientAddress: () => '192.0.2.7', pages: authPages });
});
afterAll(() => service.stop());

const request = (path: string, init?: RequestInit): Request => new Request(BASE + path, init);

describe('createAuthHandler', () => {
  it.each([
    [() => createAuthHandler(service.auth, {} as never), /clientAddress is required/],
    [
      () => createAuthHandler(service.auth, { clientAddress: '1' } as never),
      /clientAddress must be a function/,
    ],
    [
      () => createAuthHandler(service.auth, { clientAddress: unknownAddress, basePath: '/id' }),
      /basePath is \/id, but AUTH_BASE_URL is .*\. Set AUTH_BASE_URL=https:\/\/auth\.example\.com\/id$/,
    ],
    [
      () => createAuthHandler(service.auth, { clientAddress: unknownAddress, basePath: 'identity/' }),
      /basePath must be a path like '\/id'/,
    ],
    [
      () => createAuthHandler(service.auth, { clientAddres: unknownAddress } as never),
      /Did you mean clientAddress/,
    ],
    [() => createAuthHandler({} as never, { clientAddress: unknownAddress }), /not the result of createAuth/],
    [() => fromForwarded({ trustProxy: 0 }), /trustProxy must be the number of proxies/],
  ])('%# is rejected at construction with the line to write', (create, message) => {
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it('an address that is never known is rejected in production', () => {
    const { settings } = service.auth;
    const auth = Object.create(service.auth, {
      settings: { value: { ...settings, environment: 'production' } },
    }) as typeof service.auth;
    expect(() => createAuthHandler(auth, { clientAddress: unknownAddress })).toThrow(
      /unknownAddress is for development/,
    );
  });
});

describe('the handler', () => {
  it('the handler serves routes and pages below its base path, also when the host has removed that', async () => {
    for (const url of [`${BASE}/health`, 'https://auth.example.com/health']) {
      expect((await handler(new Request(url))).status).toBe(200);
    }
    const page = await handler(request('/login'));
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('href="/identity/auth/assets/');
  });

  it('a path that the service does not have is its 404, and matches reports that beforehand', async () => {
    const nowhere = request('/nowhere');
    expect([handler.matches(nowhere), (await handler(nowhere)).status]).toEqual([false, 404]);
    expect([handler.matches(request('/auth/me')), handler.matches(request('/auth/sessions/7'))]).toEqual([
      true,
      true,
    ]);
  });

  it('a browser gets the page of a path that does not exist, and JSON from a handler without pages', async () => {
    const unknown = (): Request => request('/nowhere', { headers: { accept: 'text/html' } });
    const page = await handler(unknown());
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('href="/identity/login"');
    const plain = createAuthHandler(service.auth, { clientAddress: () => '192.0.2.7' });
    const { status, headers } = await plain(unknown());
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });

  it('a forwarded protocol counts only behind a trusted proxy', async () => {
    const statuses: number[] = [];
    for (const trustProxy of [undefined, 1]) {
      const http = { ...service.auth.settings.http, forceHttps: true, trustProxy };
      const auth = Object.create(service.auth, {
        settings: { value: { ...service.auth.settings, http } },
      }) as typeof service.auth;
      const forced = createAuthHandler(auth, { clientAddress: () => '192.0.2.7', pages: authPages });
      const headers = { 'x-forwarded-proto': 'https' };
      const url = 'http://auth.example.com/identity/login';
      statuses.push((await forced(new Request(url, { headers }))).status);
    }
    expect(statuses).toEqual([308, 200]);
  });

  it('a user signs in, and the address of the client is in the audit log', async () => {
    const user = await service.createUser();
    const body = JSON.stringify({ email: user.email, password: user.password });
    const headers = { 'content-type': 'application/json', 'x-request-id': 'fetch-sign-in' };
    const response = await handler(request('/auth/login', { method: 'POST', body, headers }));
    expect([response.status, response.headers.get('x-request-id')]).toEqual([200, 'fetch-sign-in']);
    const rows = await service.sql(
      "SELECT ip_address FROM auth_audit_logs WHERE request_id = 'fetch-sign-in'",
    );
    expect(rows).toEqual([{ ip_address: '192.0.2.7' }]);
  });

  it('a body that has been read is a mistake of the host, which is named', async () => {
    const used = request('/auth/login', { method: 'POST', body: '{}' });
    await used.text();
    await expect(handler(used)).rejects.toThrow(/body of the request has already been read/);
  });

  it.each([
    ['too long', 'x'.repeat(200_000), 413],
    ['no JSON', '{', 400],
    ['empty', '', 400],
  ])('a body that is %s gets %#', async (_what, body, status) => {
    const headers = { 'content-type': 'application/json' };
    expect((await handler(request('/auth/login', { method: 'POST', body, headers }))).status).toBe(status);
  });

  it('a body without an announced length is cut at its limit', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(50_000).fill(32)),
    });
    const init = {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    };
    expect((await handler(request('/auth/login', init as RequestInit))).status).toBe(413);
  });

  it('a request whose address is not absolute is a bad request', async () => {
    const odd = { url: '/auth/me', method: 'GET', headers: new Headers(), bodyUsed: false } as Request;
    expect((await handler(odd)).status).toBe(400);
    expect(handler.matches(odd)).toBe(false);
  });

  it('two Authorization headers are one invalid one', async () => {
    const headers = new Headers();
    const { accessToken } = await service.signedIn();
    headers.append('authorization', `Bearer ${accessToken}`);
    expect((await handler(request('/auth/me', { headers }))).status).toBe(200);
    headers.append('authorization', `Bearer ${accessToken}`);
    expect((await handler(request('/auth/me', { headers }))).status).toBe(401);
  });

  it('a wait for revocations ends when the client leaves', async () => {
    const leaving = new AbortController();
    const cursor = await firstCursor();
    const waiting = handler(
      request(`/internal/revocations?after=${cursor}&wait=25`, { headers: MACHINE, signal: leaving.signal }),
    );
    setTimeout(() => leaving.abort(), 100);
    const beganAt = performance.now();
    await waiting;
    expect(performance.now() - beganAt).toBeLessThan(20_000);
  });

  it('a stream of events is cancelled by its reader, and follows no longer', async () => {
    const headers = { ...MACHINE, accept: 'text/event-stream' };
    const response = await handler(request('/internal/revocations', { headers }));
    const text = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await text?.read();
    expect(first?.value).toContain('event: snapshot');
    await text?.cancel();
  });
});

const MACHINE = { 'x-internal-api-key': INTERNAL_KEY };

async function firstCursor(): Promise<string> {
  const response = await handler(request('/internal/revocations', { headers: MACHINE }));
  const { data } = (await response.json()) as { data: { cursor: string } };
  return data.cursor;
}
