import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAs, signInUrl } from '@latchkey/client/server';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Returns the function of a server that has received these headers. */
const received = (headers: Record<string, string>) =>
  requestAs(new Headers(headers), { baseUrl: `${service.url}/` });

describe('a server that calls routes for the user of a request', () => {
  it.each([
    ['a bearer token', (token: string) => ({ authorization: `bearer ${token}` })],
    ['the cookie', (token: string) => ({ cookie: `theme=dark; __Host-lk_access=${token}; lk_state=1` })],
  ])('passes on %s', async (_how, headersOf) => {
    const { accessToken, email, id } = await service.signedIn();
    const request = received(headersOf(accessToken));
    expect((await request('GET', '/auth/me')).data).toMatchObject({ id, email });
    const access = await request('GET', '/auth/me/access', { header: { 'x-org': randomUUID() } });
    expect(access.error?.code).toBe('forbidden');
  });

  it('gets unauthorized for a request without a session', async () => {
    for (const headers of [{}, { cookie: 'lk_state=1' }, { authorization: 'Basic YTpi' }])
      expect((await received(headers)('GET', '/auth/me')).error?.code).toBe('unauthorized');
  });

  it('gets a network failure from a service that is unavailable, and throws nothing', async () => {
    const request = requestAs(new Headers(), { baseUrl: 'http://127.0.0.1:1' });
    expect((await request('GET', '/auth/me')).error?.code).toBe('network_failure');
  });

  it('sends the token to routes of users only, and lets nothing keep the response', async () => {
    const sent: [authorization: string | null, cache: string | undefined][] = [];
    const record: typeof fetch = (request, init) => {
      sent.push([(request as Request).headers.get('authorization'), init?.cache]);
      return Promise.resolve(Response.json({ success: true, data: { status: 'ok' } }));
    };
    const options = { baseUrl: 'https://auth.example.com', fetch: record };
    const request = requestAs(new Headers({ authorization: 'Bearer t' }), options);
    await request('POST', '/auth/password-reset/request', { body: { email: 'ann@example.com' } });
    await request('GET', '/auth/sessions');
    expect(sent).toEqual([
      [null, 'no-store'],
      ['Bearer t', 'no-store'],
    ]);
  });
});

it('the address of the sign-in page leads back to the path', async () => {
  const address = signInUrl(`${service.url}/`, '/invoices?page=2');
  expect(address).toBe(`${service.url}/login?returnTo=%2Finvoices%3Fpage%3D2`);
  expect((await fetch(address)).status).toBe(200);
});
