import { createServer, IncomingMessage } from 'node:http';
import { json, Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AuthError } from '@latchkey/core';
import {
  authErrors,
  createAuthRouter,
  createGuards,
  findAuth,
  getAccess,
  getAuth,
  type Guards,
} from '@latchkey/express-adapter';
import type { Answer, ApiOptions } from '../support/api-client.js';
import { cutOffServiceForThisTest } from '../support/cut-off-service.js';
import { signRs256, takeApart } from '../support/forged-token.js';
import { startGuardedHost, twice, type GuardedHost, type Mount } from '../support/guarded-host.js';
import { hostAppForThisTest } from '../support/host-app.js';
import { asSignedInByPassword, signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let host: GuardedHost;

const everyGuard = (mount: Mount, guards: Guards, app: Express): void => {
  const { requireAuth, optionalAuth, requireRole, requireFresh } = guards;
  app.set('trust proxy', 1);
  mount('/auth', requireAuth);
  mount('/optional', optionalAuth);
  mount('/staff/:id', requireRole('PLATFORM_ADMIN', 'PLATFORM_MODERATOR'));
  mount('/fresh', requireFresh('5m'));
  mount('/all', requireFresh(300), requireRole('PLATFORM_ADMIN'), requireAuth, optionalAuth);
  mount('/optional-then-required', optionalAuth, requireAuth);
};

beforeAll(async () => {
  service = await startTestService();
  host = await startGuardedHost(service.auth, everyGuard);
});

afterAll(async () => {
  await host.stop();
  await service.stop();
});

afterEach(() => {
  vi.restoreAllMocks();
  host.ran.length = 0;
});

const ask = (path: string, options?: ApiOptions): Promise<Answer> => host.client.call('GET', path, options);

/** Returns the answer, and expects that no handler of the host app ran. */
async function expectRefused(path: string, options: ApiOptions, refusal: object): Promise<Answer> {
  const answer = await ask(path, options);
  expect(answer, `${path} ${answer.text}`).toMatchObject(refusal);
  expect(host.ran).toEqual([]);
  if (answer.status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  expect(answer.headers).not.toHaveProperty('location');
  return answer;
}

const UNAUTHORIZED = { status: 401, code: 'unauthorized' };
const GUARDED = ['/auth', '/staff/7', '/fresh', '/all', '/optional-then-required'];
const staff = async () => asSignedInByPassword(await signedInUser(service, { role: 'PLATFORM_ADMIN' }));

describe('credentials that every guard rejects', () => {
  const EVERY = [...GUARDED, '/optional'];

  it('every guard rejects a bad token', async () => {
    const { token } = await staff();
    const parts = takeApart(token);
    const past = { ...parts.claims, iat: 1000, nbf: 1000, exp: 2000 };
    const bad = ['x', `${token}x`, signRs256({ ...parts, claims: past })];
    for (const path of EVERY) {
      for (const token of bad) await expectRefused(path, { token }, UNAUTHORIZED);
      for (const authorization of ['', 'Bearer', `Basic ${token}`, token, `Bearer ${token} ${token}`]) {
        await expectRefused(path, { headers: { authorization } }, UNAUTHORIZED);
      }
    }
  });

  it('every guard rejects a revoked session and an expired one', async () => {
    const [ended, over] = [await staff(), await staff()];
    await service.api('POST', '/auth/logout', { body: { refreshToken: ended.refreshToken } });
    await service.sql("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      over.id,
    ]);
    for (const path of EVERY) {
      await expectRefused(path, ended, { status: 401, code: 'session_revoked' });
      await expectRefused(path, over, UNAUTHORIZED);
    }
  });

  it('every guard rejects a user who is no longer active', async () => {
    const { id, token } = await staff();
    await service.sql('UPDATE users SET is_active = false WHERE id = $1', [id]);
    for (const path of EVERY) await expectRefused(path, { token }, { status: 403, code: 'account_inactive' });
  });

  it('every guard rejects two tokens', async () => {
    const { token } = await staff();
    const headers = twice('authorization', `Bearer ${token}`);
    for (const path of EVERY) {
      await expectRefused(path, { headers }, { status: 400, code: 'validation_error' });
    }
  });

  it('every guard answers 503, never 401, while the database is unavailable', async () => {
    const { service: cutOff, link } = await cutOffServiceForThisTest();
    const guarded = await startGuardedHost(cutOff.auth, everyGuard);
    const { token } = await signedInUser(cutOff, { role: 'PLATFORM_ADMIN' });
    link.cut();
    for (const path of EVERY) {
      const answer = await guarded.client.call('GET', path, { token });
      expect([path, answer]).toMatchObject([path, { status: 503, code: 'service_unavailable' }]);
    }
    expect(guarded.ran).toEqual([]);
    link.fix();
    await guarded.stop();
  });
});

describe('a caller without credentials', () => {
  it('a caller without credentials is rejected by all guards but optionalAuth', async () => {
    for (const path of GUARDED) await expectRefused(path, {}, UNAUTHORIZED);
    expect((await host.client.send('GET', '/optional')).data).toEqual({ userId: null, access: null });
  });

  it('a token is read from no query, no body, no cookie and no other header', async () => {
    const { token } = await staff();
    for (const path of GUARDED) {
      await expectRefused(`${path}?access_token=${token}`, {}, UNAUTHORIZED);
      const headers = {
        cookie: `__Host-lk_access=${token}`,
        'x-auth-mode': 'cookie',
        'x-access-token': token,
      };
      await expectRefused(path, { headers }, UNAUTHORIZED);
    }
  });
});

describe('a signed-in caller', () => {
  it('a signed-in caller is let in and known, and the answer is the app’s alone', async () => {
    const { id, token } = await staff();
    for (const path of [...GUARDED, '/optional']) {
      const { data, headers } = await host.client.send('GET', path, { token });
      expect(data).toEqual({ userId: id, access: null });
      for (const name of ['content-security-policy', 'cache-control', 'x-request-id', 'www-authenticate']) {
        expect(headers, path).not.toHaveProperty(name);
      }
    }
  });

  it('a signed-in caller is looked up once, however many guards there are', async () => {
    const { token } = await staff();
    const authenticate = vi.spyOn(service.auth.authenticator, 'authenticate');
    await host.client.send('GET', '/all', { token });
    expect(authenticate).toHaveBeenCalledTimes(1);
    await host.client.send('GET', '/all', { token });
    expect(authenticate).toHaveBeenCalledTimes(2);
  });

  it('a signed-in caller comes with the user’s row, the time and the method of the sign-in', async () => {
    const { requireAuth } = createGuards(service.auth);
    const { id, email, token } = await signedInUser(service);
    const client = await hostAppForThisTest((app) => {
      app.get('/', requireAuth, (request, response) => {
        const { user, ...principal } = getAuth(request);
        response.json({ ...principal, email: user?.email, keys: Object.keys(user ?? {}) });
      });
    });
    const { body } = await client.send('GET', '/', { token });
    expect(body).toMatchObject({ userId: id, email, globalRole: 'NONE', amr: ['mca'] });
    expect(JSON.stringify(body)).not.toContain('password');
  });
});

describe('requireRole', () => {
  it.each([
    ['NONE', 403],
    ['PLATFORM_MODERATOR', 200],
    ['PLATFORM_ADMIN', 200],
    // Roles are named, not ranked: greater roles are named, too.
    ['PLATFORM_SUPERADMIN', 403],
  ] as const)('requireRole answers %s with %i', async (role, status) => {
    const { token } = await signedInUser(service, { role });
    expect((await host.client.send('GET', '/staff/7', { token })).status).toBe(status);
  });

  it('a revoked role has no effect at once, whatever the token says', async () => {
    const { id, token } = await staff();
    await service.sql("UPDATE users SET global_role = 'NONE' WHERE id = $1", [id]);
    await expectRefused('/staff/7', { token }, { status: 403, code: 'forbidden' });
  });

  it('a denial is in the audit log: user, method and pattern, no query', async () => {
    const { id, token } = await signedInUser(service);
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'x-request-id': 'request-of-this-test',
      'user-agent': 'tests',
    };
    const answer = await host.client.call('DELETE', '/staff/7?secret=s3cret', { token, headers });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
    expect(answer.headers['x-request-id']).toBe('request-of-this-test');
    const rows = await service.sql('SELECT * FROM auth_audit_logs WHERE request_id = $1', [
      'request-of-this-test',
    ]);
    expect(rows).toMatchObject([
      {
        event: 'access_denied',
        outcome: 'denied',
        actor_user_id: id,
        user_agent: 'tests',
        details: { method: 'DELETE', path: '/staff/:id' },
      },
    ]);
    expect(JSON.stringify(rows)).toContain('203.0.113.7');
    expect(JSON.stringify(rows)).not.toContain('s3cret');
  });

  it('the audit log names the prefix of a guard before a whole router', async () => {
    const { id, token } = await signedInUser(service);
    const { requireRole } = createGuards(service.auth);
    const client = await hostAppForThisTest((app) => {
      app.use('/back-office', requireRole('PLATFORM_ADMIN'), Router());
    });
    await client.call('GET', '/back-office/people/7?q=x', { token });
    const rows = await service.sql('SELECT details FROM auth_audit_logs WHERE actor_user_id = $1', [id]);
    expect(rows).toEqual([{ details: { method: 'GET', path: '/back-office/*' } }]);
  });
});

describe('requireFresh', () => {
  const signedInAgo = async (seconds: number): Promise<string> => {
    const { header, claims } = takeApart((await staff()).token);
    return signRs256({ header, claims: { ...claims, auth_time: Math.floor(Date.now() / 1000) - seconds } });
  };

  it('requireFresh accepts sign-ins up to the maximum age and 5 seconds more', async () => {
    for (const seconds of [0, 299, 304]) {
      expect((await host.client.send('GET', '/fresh', { token: await signedInAgo(seconds) })).status).toBe(
        200,
      );
    }
  });

  it('requireFresh asks all others to sign in again, as RFC 9470 specifies', async () => {
    for (const seconds of [307, 86_400]) {
      const token = await signedInAgo(seconds);
      const answer = await expectRefused(
        '/fresh',
        { token },
        { status: 401, code: 'reauthentication_required' },
      );
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_user_authentication", max_age=300',
      );
    }
  });

  it('a refreshed token is as old as its sign-in', async () => {
    const { id, refreshToken } = await staff();
    await service.sql("UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE user_id = $1", [id]);
    const { data } = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
    const answer = await ask('/fresh', { token: data.accessToken });
    expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
  });

  it('requireFresh answers a caller without a token with the plain challenge', async () => {
    expect((await ask('/fresh')).headers['www-authenticate']).toBe('Bearer');
  });
});

describe('guards by hint', () => {
  it('guards by hint query the database once, and see the end of a session all the same', async () => {
    const hinted = await startGuardedHost(
      service.auth,
      (mount, { requireAuth, requireRole }) => {
        mount('/', requireAuth);
        mount('/staff', requireRole('PLATFORM_ADMIN'));
      },
      { check: 'hint' },
    );
    const { id, token, refreshToken } = await staff();
    const authenticate = vi.spyOn(service.auth.authenticator, 'authenticate');
    for (const path of ['/', '/staff', '/']) {
      expect((await hinted.client.send('GET', path, { token })).data).toMatchObject({ userId: id });
    }
    expect(authenticate).toHaveBeenCalledTimes(1);
    await service.api('POST', '/auth/logout', { body: { refreshToken } });
    expect(await hinted.client.call('GET', '/', { token })).toMatchObject({ code: 'session_revoked' });
    await hinted.stop();
  });
});

describe('functions for the code of a host app', () => {
  it('authenticate returns the callers that requireAuth lets in, and throws what it answers', async () => {
    const { authenticate } = createGuards(service.auth);
    const { id, token } = await signedInUser(service);
    const client = await hostAppForThisTest((app) => {
      app.get('/', async (request, response) => {
        const first = await authenticate(request);
        response.json({
          first: first.userId,
          again: (await authenticate(request)).userId,
          kept: getAuth(request).userId,
        });
      });
      app.use(authErrors(service.auth));
    });
    expect((await client.send('GET', '/', { token })).body).toEqual({ first: id, again: id, kept: id });
    expect(await client.call('GET', '/')).toMatchObject(UNAUTHORIZED);
  });

  it('a request of the Fetch API is a mistake that authenticate and guards name', async () => {
    const { authenticate, requireAuth } = createGuards(service.auth);
    const request = new Request('http://app.example.com') as never;
    await expect(authenticate(request)).rejects.toThrow(
      /takes a request of Node\.js .*not one of the Fetch API/,
    );
    expect(() => requireAuth(request, {} as never, () => undefined)).toThrow(
      /^requireAuth takes a request of Node/,
    );
  });

  it('authenticate takes requests of plain servers', async () => {
    const { authenticate } = createGuards(service.auth);
    const { id, token } = await signedInUser(service);
    const server = createServer((request, response) => {
      authenticate(request).then(
        ({ userId }) => response.end(userId),
        (error: unknown) => response.end(AuthError.is(error) ? error.code : 'other'),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`;
    expect(await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()).toBe(id);
    expect(await (await fetch(url)).text()).toBe('unauthorized');
    server.close();
  });

  it('getAuth and getAccess without a guard name the missing one; findAuth returns undefined', async () => {
    const client = await hostAppForThisTest((app) => {
      app.get('/auth', (request) => void getAuth(request));
      app.get('/access', (request) => void getAccess(request));
      app.get('/find', (request, response) => {
        response.json({ who: findAuth(request) ?? null });
      });
      app.use(((error: Error, _request, response, _next) => {
        response.status(500).json({ name: error.name, message: error.message });
      }) satisfies ErrorRequestHandler);
    });
    const bodyOf = async (path: string) => (await client.send('GET', path)).body;
    expect(await bodyOf('/auth')).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining('requireAuth') as string,
    });
    expect(await bodyOf('/access')).toMatchObject({
      message: expect.stringContaining('requireAccess({') as string,
    });
    expect(await bodyOf('/find')).toEqual({ who: null });
  });
});

describe('guards of two services in one app', () => {
  it('guards of two services reject each other’s tokens, and the last one that let in provides the result', async () => {
    const other = await startTestService({ env: { JWT_AUDIENCE: 'another' } });
    try {
      const [mine, theirs] = [createGuards(service.auth), createGuards(other.auth)];
      const client = await hostAppForThisTest((app) => {
        app.get(
          '/mine',
          mine.requireAuth,
          (request, response) => void response.json(getAuth(request).userId),
        );
        app.get(
          '/theirs',
          theirs.requireAuth,
          (request, response) => void response.json(getAuth(request).userId),
        );
        app.get('/both', mine.requireAuth, theirs.requireAuth);
      });
      const [here, there] = [await signedInUser(service), await signedInUser(other)];
      expect((await client.send('GET', '/mine', here)).body).toBe(here.id);
      expect((await client.send('GET', '/theirs', there)).body).toBe(there.id);
      expect(await client.call('GET', '/mine', there)).toMatchObject(UNAUTHORIZED);
      expect(await client.call('GET', '/both', here)).toMatchObject(UNAUTHORIZED);
    } finally {
      await other.stop();
    }
  });
});

describe('authErrors', () => {
  const throwing = (error: unknown) =>
    hostAppForThisTest((app) => {
      app.get('/', () => {
        throw error;
      });
      app.get('/late', (_request, response) => {
        response.write('begun');
        throw error;
      });
      app.use(authErrors(service.auth));
      app.use(((thrown: Error, _request, response, next) => {
        if (response.headersSent) next(thrown);
        else response.status(418).json({ mine: thrown === error });
      }) satisfies ErrorRequestHandler);
    });

  it.each([
    [AuthError.forbidden('Not you.'), 403],
    [AuthError.unauthorized(), 401],
    [AuthError.conflict('Twice.'), 409],
    [AuthError.unavailable('Away.'), 503],
  ])('%#: an AuthError of a handler gets the answer of a route', async (error, status) => {
    const answer = await (await throwing(error)).call('GET', '/');
    expect(answer).toMatchObject({ status, code: error.code, message: error.message });
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });

  it('authErrors answers a sign-in that is too old with the challenge to sign in again', async () => {
    const error = new AuthError('reauthentication_required', 'Sign in again.');
    expect((await (await throwing(error)).call('GET', '/')).headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication"',
    );
  });

  it.each([new Error('mine'), new TypeError('mine'), Object.assign(new Error('x'), { status: 400 })])(
    '%#: any other error goes on to the app’s own handler as it came',
    async (error) => {
      const { status, body, headers } = await (await throwing(error)).send('GET', '/');
      expect([status, body]).toEqual([418, { mine: true }]);
      expect(headers).not.toHaveProperty('content-security-policy');
    },
  );

  it('authErrors breaks off an answer that has begun and does not write into it', async () => {
    const client = await throwing(AuthError.forbidden());
    await expect(client.send('GET', '/late')).rejects.toThrow();
  });
});

describe('guards beside other middleware', () => {
  it('a denial replaces what the app had put on the answer, and keeps its permissions for other origins', async () => {
    const { requireAuth } = createGuards(service.auth);
    const client = await hostAppForThisTest((app) => {
      app.use(json(), (_request, response, next) => {
        response.set({
          'Cache-Control': 'public, max-age=60',
          'Access-Control-Allow-Origin': 'https://a.example',
        });
        next();
      });
      app.get('/', requireAuth);
    });
    const { headers } = await client.call('GET', '/');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['access-control-allow-origin']).toBe('https://a.example');
  });

  it('two simultaneous guards answer once', async () => {
    const { requireAuth, requireRole } = createGuards(service.auth);
    const isAdmin = requireRole('PLATFORM_ADMIN');
    const client = await hostAppForThisTest((app) => {
      app.get('/', async (request, response) => {
        let letIn = 0;
        const count = () => {
          letIn++;
        };
        await Promise.all([requireAuth(request, response, count), isAdmin(request, response, count)]);
        if (!response.headersSent) response.json({ letIn });
      });
    });
    expect(await client.call('GET', '/')).toMatchObject(UNAUTHORIZED);
    const { token } = await staff();
    expect((await client.send('GET', '/', { token })).body).toEqual({ letIn: 2 });
  });
});

const wrong = (make: () => unknown): unknown => {
  try {
    return make() === undefined;
  } catch (error) {
    return error;
  }
};

describe('wrong wiring, reported when the app is put together', () => {
  const loosely = (): Record<string, (...args: unknown[]) => unknown> =>
    ({ ...createGuards(service.auth) }) as never;

  it.each([
    ['requireRole', [], "requireRole('PLATFORM_ADMIN')"],
    ['requireRole', ['ADMIN'], 'PLATFORM_SUPERADMIN, PLATFORM_ADMIN, PLATFORM_MODERATOR'],
    ['requireRole', ['NONE'], '"NONE" is not a platform role.'],
    ['requireRole', [['PLATFORM_ADMIN']], '["PLATFORM_ADMIN"] is not a platform role.'],
    ['requireRole', ['toString'], '"toString"'],
    ['requireAccess', [], "requireAccess({ module: 'invoices' })"],
    ['requireAccess', [{}], 'requires module, permission or role'],
    ['requireFresh', [], "requireFresh('5m')"],
    ['requireAuth', [], "app.get('/path', requireAuth, handler)"],
    ['optionalAuth', [], "app.get('/path', optionalAuth, handler)"],
  ])('%s(%j) throws a TypeError that shows the right call', (name, args, expected) => {
    const error = wrong(() => loosely()[name]?.(...args));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(expected);
  });

  it('requireAccess is refused while there is no source of entitlements', () => {
    const { requireAccess } = createGuards(service.auth);
    expect(() => requireAccess({ module: 'invoices' })).toThrow(
      new TypeError(
        'requireAccess: no source of entitlements is configured. ' +
          'Write: createAuth(settings, { entitlements: (companyId) => … }), or set CORE_BASE_URL',
      ),
    );
  });

  it.each(['requireRole', 'requireAccess', 'requireFresh'])(
    '%s as a middleware: the first request says so and does not hang',
    async (name) => {
      const client = await hostAppForThisTest((app) => {
        app.get('/', loosely()[name] as RequestHandler);
        app.use(((error: Error, _request, response, _next) => {
          response.status(500).json({ error: `${error.name} ${error.message}` });
        }) satisfies ErrorRequestHandler);
      });
      const { body } = await client.send('GET', '/');
      expect(body).toMatchObject({
        error: expect.stringMatching(`^TypeError ${name} returns a middleware. Call it: app.get`) as string,
      });
    },
  );

  it.each([
    [{ chek: 'hint' }, 'unknown option chek. Did you mean check? Options are check, cookies, apiKeys.'],
    [{ check: 'redis' }, `option check must be 'database' or 'hint'.`],
    [{ cookies: 'yes' }, 'option cookies must be true or false.'],
    [{ toString: 1 }, 'unknown option toString.'],
    [{ cookies: true }, 'AUTH_WEB_COOKIE_MODE=true'],
    ['hint', 'must be an object'],
  ])('createGuards throws a TypeError for %j', (options, expected) => {
    const error = wrong(() => createGuards(service.auth, options as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(expected);
  });
});

describe('an invalid auth', () => {
  const given = (): [string, unknown, string][] => [
    ['nothing', undefined, 'auth is missing'],
    ['null', null, 'auth is missing'],
    ['a promise', Promise.resolve(service.auth), 'auth is a Promise; await it'],
    ['the settings', service.auth.settings, 'auth is the settings, not the result of createAuth'],
    ['a text', 'auth', 'auth is not the result of createAuth'],
    ['a part of it', service.auth.authenticator, 'auth is not the result of createAuth'],
    ['a request', Object.create(IncomingMessage.prototype), 'auth is not the result of createAuth'],
  ];

  it.each([
    [createAuthRouter, 'app.use(createAuthRouter(await createAuth(settings)))'],
    [createGuards, 'createGuards(await createAuth(settings))'],
    [authErrors, 'app.use(authErrors(auth))'],
  ])('%o names the invalid auth, and the right line', (taker, line) => {
    for (const [what, auth, expected] of given()) {
      const error = wrong(() => taker(auth as never));
      expect(error, what).toBeInstanceOf(TypeError);
      expect(String(error), what).toContain(expected);
      expect(String(error), what).toContain(line);
    }
  });

  it('a closed auth is refused', async () => {
    const closed = await startTestService();
    await closed.stop();
    for (const taker of [createAuthRouter, createGuards, authErrors]) {
      expect(() => taker(closed.auth)).toThrow(/auth has been closed; create a new one/);
    }
  });

  it.each([
    [{ page: false }, 'unknown option page. Did you mean pages? Options are pages, metrics.'],
    [{ pages: 'no' }, 'option pages must be true or false.'],
    [null, 'must be an object'],
  ])('the router refuses the options %j', (options, expected) => {
    const error = wrong(() => createAuthRouter(service.auth, options as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(expected);
  });
});
