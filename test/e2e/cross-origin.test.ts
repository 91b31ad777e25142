import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const FIRST = 'https://app.example.com';
const SECOND = 'http://localhost:5173';

const STRANGERS = [
  'https://evil.example',
  'null',
  'https://app.example.com.evil.example',
  'https://evil-app.example.com',
  'https://evil.app.example.com',
  'https://app.example.com:444',
  'http://app.example.com',
  'https://APP.example.com',
  'https://app.example.com/',
  '*',
];

const permissionsIn = ({ headers }: Answer): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const listIn = (text: string | undefined): string[] => (text ?? '').split(/ *, */).sort();

const preflight = (service: TestService, origin: string): Promise<Answer> =>
  service.client.send('OPTIONS', '/auth/me', {
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,x-auth-mode',
    },
  });

const HEADERS = ['Authorization', 'Content-Type', 'X-Device-Name', 'X-Org', 'X-Request-Id'];

describe.each([
  { cookieMode: 'false', credentials: undefined, allowed: HEADERS },
  { cookieMode: 'true', credentials: 'true', allowed: ['X-Auth-Mode', ...HEADERS].sort() },
])('a service with listed origins and cookie mode $cookieMode', ({ cookieMode, credentials, allowed }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: { CORS_ORIGINS: `${FIRST},${SECOND}`, AUTH_WEB_COOKIE_MODE: cookieMode },
    });
  });
  afterAll(() => service.stop());

  it.each([FIRST, SECOND])('the listed origin %s is echoed, in errors too', async (origin) => {
    for (const path of ['/health', '/auth/me', '/nowhere', '/.well-known/jwks.json']) {
      const { headers } = await service.api('GET', path, { headers: { origin } });
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-credentials']).toBe(credentials);
      expect(listIn(headers.vary)).toContain('Origin');
    }
  });

  it.each(STRANGERS)('the origin %s gets no permission', async (origin) => {
    const answer = await service.api('GET', '/.well-known/jwks.json', { headers: { origin } });
    expect(permissionsIn(answer)).toEqual([]);
    expect(listIn(answer.headers.vary)).toContain('Origin');
    expect(permissionsIn(await preflight(service, origin))).toEqual([]);
    expect((await preflight(service, origin)).status).toBe(404);
  });

  it('a request without an Origin gets no permission, and caches learn that the origin matters', async () => {
    const answer = await service.api('GET', '/.well-known/jwks.json');
    expect(permissionsIn(answer)).toEqual([]);
    expect(listIn(answer.headers.vary)).toContain('Origin');
  });

  it('a preflight names the allowed methods and headers', async () => {
    const { status, headers } = await preflight(service, FIRST);
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(FIRST);
    expect(headers['access-control-allow-credentials']).toBe(credentials);
    expect(listIn(headers['access-control-allow-methods'])).toEqual([
      'DELETE',
      'GET',
      'PATCH',
      'POST',
      'PUT',
    ]);
    expect(listIn(headers['access-control-allow-headers'])).toEqual(allowed);
  });

  it('scripts can read the headers of lists, limits and challenges', async () => {
    const { headers } = await service.api('GET', '/health', { headers: { origin: FIRST } });
    expect(listIn(headers['access-control-expose-headers'])).toEqual([
      'Retry-After',
      'WWW-Authenticate',
      'X-Next-Cursor',
      'X-Request-Id',
      'X-Total-Count',
      'X-Total-Count-Relation',
    ]);
  });
});

describe('a service without listed origins', () => {
  it('without listed origins no origin gets permission, not even the own one', async () => {
    const service = await serviceForThisTest({ env: { AUTH_WEB_COOKIE_MODE: 'true' } });
    for (const origin of [FIRST, service.publicUrl]) {
      expect(permissionsIn(await service.api('GET', '/health', { headers: { origin } }))).toEqual([]);
    }
  });
});
