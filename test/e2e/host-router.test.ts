import { createServer } from 'node:http';
import express, { Router, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import type { ApiClient } from '../support/api-client.js';
import { hostAppForThisTest } from '../support/host-app.js';
import { signedInUser } from '../support/minted-token.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';

const OWN = 'https://app.example.com';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { CORS_ORIGINS: OWN } });
});
afterAll(() => service.stop());

const hostPage: RequestHandler = (_request, response) => {
  response.send('<h1>ours</h1>');
};

/** A router that answers everything that the app before it does not. */
const leftOver = (app: Express) => app.use(hostPage);

const withRouter = (build: (app: Express) => void = () => undefined): Promise<ApiClient> =>
  hostAppForThisTest((app) => {
    build(app);
    app.use(createAuthRouter(service.auth));
    leftOver(app);
  });

const OURS = [
  'content-security-policy',
  'strict-transport-security',
  'x-frame-options',
  'referrer-policy',
  'cache-control',
  'x-request-id',
  'access-control-allow-origin',
  'vary',
];

describe('headers of a host app', () => {
  it('headers of a page of the app are the app’s alone, although the router is mounted before it', async () => {
    const client = await withRouter();
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/invoices'],
      ['POST', '/auth/nothing-of-the-kind'],
      ['GET', '/auth'],
      ['OPTIONS', '/invoices'],
    ] as const) {
      const { status, text, headers } = await client.send(method, path, { headers: { origin: OWN } });
      expect([path, status, text]).toEqual([path, 200, '<h1>ours</h1>']);
      for (const name of OURS) expect(headers, `${method} ${path}`).not.toHaveProperty(name);
      expect(headers['x-powered-by']).toBe('Express');
    }
  });

  it('headers that the app has set before remain where the router sets none', async () => {
    const client = await withRouter((app) => {
      app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ['https://cdn.example'] } } }));
      app.use((_request, response, next) => {
        response.set('Cache-Control', 'public, max-age=60');
        next();
      });
    });
    const { headers } = await client.send('GET', '/page');
    expect(headers['content-security-policy']).toContain('https://cdn.example');
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect((await client.call('GET', '/health')).headers['content-security-policy']).not.toContain('cdn');
  });

  it('headers of the service are on its own answers: successes, refusals, other methods, broken paths', async () => {
    const client = await withRouter();
    for (const [method, path, status] of [
      ['GET', '/health', 200],
      ['GET', '/auth/me', 401],
      ['PUT', '/auth/me', 404],
      ['GET', '/auth/invitations/%E0%A4%A', 400],
    ] as const) {
      const answer = await client.call(method, path, { headers: { origin: OWN } });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers['access-control-allow-origin']).toBe(OWN);
    }
    const asset = /\/auth\/assets\/[^"]+\.css/.exec((await client.send('GET', '/login')).text)?.[0] ?? '';
    expect((await client.send('GET', asset)).headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  it('headers of the service permit pages of other origins on its paths, and leave preflights of the app to the app', async () => {
    const client = await withRouter();
    const preflight = (path: string) =>
      client.send('OPTIONS', path, { headers: { origin: OWN, 'access-control-request-method': 'PATCH' } });
    const { status, headers } = await preflight('/auth/me');
    expect([status, headers['access-control-allow-origin']]).toEqual([204, OWN]);
    expect((await preflight('/invoices')).text).toBe('<h1>ours</h1>');
  });
});

describe('a malformed path', () => {
  it('a malformed path of the app is answered by the app', async () => {
    const client = await hostAppForThisTest((app) => {
      app.use(createAuthRouter(service.auth));
      app.get('/files/:name', hostPage);
      app.use(((_error, _request, response, _next) => {
        response.status(400).send('broken, says the app');
      }) satisfies express.ErrorRequestHandler);
    });
    const { status, text, headers } = await client.send('GET', '/files/%E0%A4%A');
    expect([status, text]).toEqual([400, 'broken, says the app']);
    expect(headers).not.toHaveProperty('content-security-policy');
  });
});

describe('a router without pages', () => {
  it('without pages the app answers for pages, their files and the development inbox, and all else works', async () => {
    const client = await hostAppForThisTest((app) => {
      leftOver(app.use(createAuthRouter(service.auth, { pages: false })));
    });
    for (const path of [
      '/login',
      '/account',
      '/company',
      '/accept-invitation',
      '/reset-password',
      '/verify-email',
      '/reject-registration',
      '/change-email',
      '/undo-email-change',
      '/dev/mail',
      '/dev/mail/x',
    ]) {
      expect([path, (await client.send('GET', path)).text]).toEqual([path, '<h1>ours</h1>']);
    }
    expect((await client.call('GET', '/health')).status).toBe(200);
    expect((await client.call('GET', '/.well-known/jwks.json')).status).toBe(200);
  });
});

describe('a router without metrics', () => {
  it('without metrics their path is the app’s, and requires no key', async () => {
    const client = await hostAppForThisTest((app) => {
      leftOver(app.use(createAuthRouter(service.auth, { metrics: false })));
    });
    expect((await client.send('GET', '/metrics')).text).toBe('<h1>ours</h1>');
  });
});

describe('mounts of the router', () => {
  const expectWhole = async (client: ApiClient, prefix: string, from = service): Promise<void> => {
    const { email } = await from.createUser();
    const login = await client.call('POST', `${prefix}/auth/login`, { body: { email, password: PASSWORD } });
    expect(login.status, login.text).toBe(200);
    const me = await client.call('GET', `${prefix}/auth/me`, { token: login.data.accessToken });
    expect(me.data).toMatchObject({ email });
  };

  it.each(['/identity', '/deep/er/still'])('the router answers below %s', async (prefix) => {
    const client = await hostAppForThisTest((app) => {
      leftOver(app.use(prefix, createAuthRouter(service.auth)));
    });
    await expectWhole(client, prefix);
    expect((await client.send('GET', '/auth/me')).text).toBe('<h1>ours</h1>');
  });

  it('the router answers in a router of a router, in an app of an app, and below a parameter', async () => {
    const client = await hostAppForThisTest((app) => {
      app.use('/a', Router().use('/b', createAuthRouter(service.auth)));
      app.use('/sub', express().use('/auth-of', createAuthRouter(service.auth)));
      app.use('/tenants/:tenant', createAuthRouter(service.auth));
    });
    for (const prefix of ['/a/b', '/sub/auth-of', '/tenants/acme']) await expectWhole(client, prefix);
  });

  it('the router answers whatever the app sets for case, slashes and queries', async () => {
    const client = await withRouter((app) => {
      app.enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
      app.set('query parser', 'extended');
    });
    await expectWhole(client, '');
    for (const parser of ['extended', 'simple', false]) {
      const asking = await withRouter((app) => app.set('query parser', parser));
      const page = (query: string) =>
        asking.call('GET', `/internal/admin/users?${query}`, {
          headers: { 'x-internal-api-key': INTERNAL_KEY },
        });
      await service.createUser();
      await service.createUser();
      expect((await page('limit=1')).items).toHaveLength(1);
      expect(await page('limit=1&limit=2')).toMatchObject({ status: 400, code: 'validation_error' });
      expect((await page('limit=0')).status).toBe(400);
      expect((await asking.send('GET', '/login?returnTo=/there')).text).toContain('data-return-to="/there"');
    }
  });

  it('the router answers with the address that the app trusts', async () => {
    const addressSeen = async (trust: unknown): Promise<unknown> => {
      const client = await withRouter((app) => app.set('trust proxy', trust));
      const { id, token } = await signedInUser(service);
      await client.call('GET', '/internal/users', { token, headers: { 'x-forwarded-for': '203.0.113.9' } });
      const rows = await service.sql(
        "SELECT host(ip_address::inet) AS ip FROM auth_audit_logs WHERE actor_user_id = $1 AND event = 'access_denied'",
        [id],
      );
      return rows[0]?.ip;
    };
    expect(await addressSeen(1)).toBe('203.0.113.9');
    expect(await addressSeen(false)).toBe('127.0.0.1');
  });

  it('the router answers for two services in one app, each with its own users', async () => {
    const other = await serviceForThisTest();
    const client = await hostAppForThisTest((app) => {
      app.use('/one', createAuthRouter(service.auth)).use('/two', createAuthRouter(other.auth));
    });
    await expectWhole(client, '/one');
    await expectWhole(client, '/two', other);
    const { token } = await signedInUser(other);
    expect((await client.call('GET', '/two/auth/me', { token })).status).toBe(200);
    expect((await client.call('GET', '/one/auth/me', { token })).status).toBe(401);
  });
});

describe('a request body', () => {
  const readAll: RequestHandler = (request, _response, next) => {
    request.on('end', () => next()).resume();
  };

  it.each<[string, RequestHandler[]]>([
    ['express.json()', [express.json()]],
    ['express.urlencoded()', [express.urlencoded({ extended: true })]],
    ['both', [express.json(), express.urlencoded({ extended: true })]],
    ['express.raw() for webhooks', [express.raw({ type: '*/*' })]],
    ['express.text()', [express.text({ type: '*/*' })]],
  ])('a body that %s has parsed before is understood', async (_what, parsers) => {
    const client = await withRouter((app) => app.use(parsers));
    const { email } = await service.createUser();
    const body = { email, password: PASSWORD };
    expect((await client.call('POST', '/auth/login', { body })).status).toBe(200);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const raw = new URLSearchParams(body).toString();
    expect(await client.call('POST', '/auth/login', { raw, headers: form })).toMatchObject({
      status: 400,
      message: 'Content-Type must be application/json.',
    });
    expect((await client.call('POST', '/auth/refresh', { raw: '{}' })).status).toBe(400);
  });

  it('a body that other middleware has consumed is 400 with the fix', async () => {
    const client = await withRouter((app) => app.use(readAll));
    const answer = await client.call('POST', '/auth/login', {
      body: { email: 'a@b.example', password: 'x' },
    });
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain('Mount createAuthRouter before the middleware that reads it');
  });

  it('a body stays unread for the app where the path is not of the service', async () => {
    const client = await hostAppForThisTest((app) => {
      app.use(createAuthRouter(service.auth));
      app.post('/echo', express.json(), (request, response) => {
        response.json(request.body);
      });
    });
    expect((await client.send('POST', '/echo', { body: { a: 1 } })).body).toEqual({ a: 1 });
  });
});

it('a plain server of Node can use the router, too', async () => {
  const router = createAuthRouter(service.auth, { pages: false });
  const app = express().use(router);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  expect((await fetch(`http://127.0.0.1:${port ?? 0}/health`)).status).toBe(200);
  await new Promise((resolve) => server.close(resolve));
});
