import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ON_THE_SERVER } from '../support/binding.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

/** What browsers send when they open an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const NOT_THERE = { status: 404, code: 'not_found' };

/** The settings of production that the tests can satisfy. */
const PRODUCTION = {
  APP_ENV: 'production',
  AUTH_BASE_URL: 'https://auth.example.com',
  REDIS_URL: 'memory:',
  AUTH_WEB_FORCE_HTTPS: 'false',
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const open = (path: string, headers = {}, on = service) =>
  on.client.send('GET', path, { headers: { ...BROWSER, ...headers } });

describe('an unknown path', () => {
  it('an unknown path is a page for browsers, with status 404, a way on and the policy of the pages', async () => {
    const { status, headers, text } = await open('/nowhere?x=canary');
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'nonce-/) as string,
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toContain('<a class="primary" href="/login">Sign in</a>');
    expect(text).not.toMatch(/canary|<script/);
  });

  it('an unknown path is a page in the language of the user', async () => {
    const { headers, text } = await open('/nowhere', { 'accept-language': 'de-AT' });
    expect(text).toContain('<html lang="de"');
    expect(text).toContain('Seite nicht gefunden');
    expect(headers['content-language']).toBe('de');
    expect(headers.vary).toMatch(/Accept(,|$).*Accept-Language/);
  });

  it('an unknown path leads on to the web app, below the prefix of the public address', async () => {
    const env = { AUTH_BASE_URL: 'https://example.com/id', WEB_APP_URL: 'https://app.example.com/start' };
    const { text } = await open('/nowhere', {}, await serviceForThisTest({ env }));
    expect(text).toContain(
      '<a class="primary" href="https://app.example.com/start">Go to app.example.com</a>',
    );
    expect(text).toContain('<a class="secondary" href="/id/login">Sign in</a>');
  });

  it.each([
    ['no Accept', {}],
    ['any type', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
    ['JSON before HTML', { accept: 'application/json, text/html;q=0.9' }],
  ])('an unknown path is JSON for a client that accepts %s', async (_what, headers) => {
    const answer = await service.api('GET', '/nowhere', { headers });
    expect(answer).toMatchObject(NOT_THERE);
    expect(answer.headers.vary).toContain('Accept');
  });

  it('an unknown path is JSON for other methods and problem details on request, also for browsers', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await service.api(method, '/nowhere', { headers: BROWSER })).toMatchObject(NOT_THERE);
    }
    const { headers } = await service.client.send('GET', '/nowhere', {
      headers: { accept: 'application/problem+json' },
    });
    expect(headers['content-type']).toContain('application/problem+json');
  });

  it('an unknown path answers HEAD of a browser without a body', async () => {
    const { status, headers, text } = await service.client.send('HEAD', '/nowhere', { headers: BROWSER });
    expect([status, headers['content-type'], text]).toEqual([404, 'text/html; charset=utf-8', '']);
  });

  it('a known path with an unknown method, and the routes, answer browsers as before', async () => {
    expect(await service.api('GET', '/auth/login', { headers: BROWSER })).toMatchObject(NOT_THERE);
    expect((await service.api('GET', '/auth/me', { headers: BROWSER })).status).toBe(401);
  });
});

describe('the path /', () => {
  it.runIf(ON_THE_SERVER)(
    'the start page of a development service leads to its parts and shows its setup without secrets',
    async () => {
      const { status, headers, text } = await open('/');
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      for (const path of [
        '/login',
        '/register',
        '/docs',
        '/openapi.json',
        '/dev/mail',
        '/health',
        '/ready',
      ]) {
        expect(text).toContain(`<a href="${path}">`);
      }
      expect(text).toContain('<dt>database</dt>');
      expect(text).toContain('<dt>REDIS_URL</dt>');
      const { username, password } = new URL(service.databaseUrl);
      for (const secret of [`${username}:${password}@`, 'internal-key-of-the-tests', 'PRIVATE KEY']) {
        expect(text).not.toContain(secret);
      }
    },
  );

  it.runIf(ON_THE_SERVER)('the start page says how to turn on what is off', async () => {
    const env = { PUBLIC_REGISTRATION_ENABLED: 'false', API_DOCS_ENABLED: 'false' };
    const { text } = await open('/', {}, await serviceForThisTest({ env, smtp: true }));
    for (const hint of ['PUBLIC_REGISTRATION_ENABLED=true', 'API_DOCS_ENABLED=true', 'SMTP_URL is set']) {
      expect(text).toContain(hint);
    }
    for (const path of ['/register', '/docs', '/dev/mail']) expect(text).not.toContain(`href="${path}"`);
  });

  it.runIf(ON_THE_SERVER)(
    'the start page is for this machine alone; others are redirected to the sign-in page',
    async () => {
      for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { host: 'evil.example.net' }]) {
        const { status, headers: answered, text } = await open('/', headers);
        expect([status, answered.location, text]).toEqual([302, '/login', '']);
      }
    },
  );

  it('the path / is not found by clients that are no browsers', async () => {
    expect(await service.api('GET', '/')).toMatchObject(NOT_THERE);
    expect(await service.api('POST', '/', { headers: BROWSER })).toMatchObject(NOT_THERE);
  });

  it.runIf(ON_THE_SERVER)(
    'the path / redirects browsers in production, to WEB_APP_URL or the sign-in page',
    async () => {
      const production = await serviceForThisTest({ env: PRODUCTION, smtp: true });
      const { status, headers } = await open('/', {}, production);
      expect([status, headers.location, headers['cache-control']]).toEqual([302, '/login', 'no-store']);
      const env = { ...PRODUCTION, WEB_APP_URL: 'https://app.example.com/start' };
      const withApp = await serviceForThisTest({ env, smtp: true });
      expect((await open('/', {}, withApp)).headers.location).toBe('https://app.example.com/start');
      expect(await withApp.api('GET', '/')).toMatchObject(NOT_THERE);
      expect(await withApp.api('GET', '/dev/mail')).toMatchObject(NOT_THERE);
    },
  );
});

describe('the API reference', () => {
  it.runIf(ON_THE_SERVER)(
    'the API reference loads everything from this server, without inline scripts and styles',
    async () => {
      const { headers, text } = await open('/docs');
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
      );
      const urls = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
      expect(urls.filter((url) => url.includes('//'))).toEqual([]);
      for (const url of urls) expect([url, (await open(`/${url}`)).status]).toEqual([url, 200]);
    },
  );

  it('the API reference can be turned off, and the OpenAPI document remains', async () => {
    const closed = await serviceForThisTest({ env: { API_DOCS_ENABLED: 'false' } });
    for (const path of ['/docs', '/docs/start.js', '/docs/style.css', '/docs/viewer/swagger-ui.css']) {
      expect(await closed.api('GET', path)).toMatchObject(NOT_THERE);
    }
    expect((await closed.client.send('GET', '/openapi.json')).status).toBe(200);
    expect((await open('/docs', {}, closed)).text).toContain('Page not found');
  });
});

it('the registration page does not exist while registration is off, and the sign-in page does not offer it', async () => {
  const closed = await serviceForThisTest({ env: { PUBLIC_REGISTRATION_ENABLED: 'false' } });
  expect(await closed.api('GET', '/register')).toMatchObject(NOT_THERE);
  expect((await open('/register', {}, closed)).text).toContain('Page not found');
  expect((await open('/login', {}, closed)).text).toContain('data-may-register="false"');
  expect((await open('/login', {})).text).toContain('data-may-register="true"');
});
