import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { allRoutes, authErrors } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { ON_NEXT } from '../support/binding.js';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { nameOf, pathOf } from '../support/route-request.js';
import { startTestService, type TestService } from '../support/service.js';

const PROBLEM = 'application/problem+json';

let service: TestService;
let host: GuardedHost;

beforeAll(async () => {
  service = await startTestService({
    env: {
      ...PASSKEY_ENV,
      CORS_ORIGINS: 'https://app.example.com',
      LOGIN_RATE_LIMIT: '10000',
      // Nothing listens there.
      CORE_BASE_URL: 'http://127.0.0.1:1',
      CORE_INTERNAL_API_KEY: 'a-key-of-the-core-service',
    },
  });
  host = await startGuardedHost(service.auth, (mount, guards, app) => {
    mount('/any', guards.requireAuth);
    mount('/staff', guards.requireRole('PLATFORM_ADMIN'));
    mount('/fresh', guards.requireFresh('5m'));
    mount('/billing', guards.requireAccess({ module: 'billing' }));
    app.get('/invoice', () => {
      throw AuthError.conflict('Taken.', 'email_taken');
    });
    app.use(authErrors(service.auth));
  });
});

afterAll(async () => {
  await host.stop();
  await service.stop();
});

/** Checks everything that a problem document promises, without the schema of the sources. */
function expectProblem(answer: Answer, code: string, reason = code): void {
  expect(answer.headers['content-type']).toBe(PROBLEM);
  expect(answer.headers.vary).toMatch(/\bAccept\b/);
  const { type, title, detail, ...rest } = JSON.parse(answer.text) as Record<string, unknown>;
  expect(type).toMatch(new RegExp(`^https://.+/errors\\.md#${code}$`));
  expect([typeof title, typeof detail]).toEqual(['string', 'string']);
  expect(rest).toMatchObject({ status: answer.status, code, reason });
  expect(Object.keys(rest).filter((key) => !['status', 'code', 'reason', 'errors'].includes(key))).toEqual(
    [],
  );
}

const accepting = (accept: string) => ({ headers: { accept } });

describe('clients that accept problem details', () => {
  it.each(
    allRoutes
      .filter(({ caller }) => caller.security !== 'none')
      .map((route) => [nameOf(route), route] as const),
  )('a problem document is the answer of %s without credentials', async (_name, route) => {
    const method = route.method.toUpperCase();
    const answer = await service.client.send(method, pathOf(route, randomUUID()), accepting(PROBLEM));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const { code, reason } = JSON.parse(answer.text) as { code: string; reason: string };
    expectProblem(answer, code, reason);
  });

  it.each(allRoutes.filter(({ body }) => body).map((route) => [nameOf(route), route] as const))(
    'a problem document is the answer of %s for a body that is no JSON, where the caller is let in or not',
    async (_name, route) => {
      const answer = await service.client.send(route.method.toUpperCase(), pathOf(route, randomUUID()), {
        headers: { accept: PROBLEM, 'content-type': 'application/json' },
        raw: '{"email": ',
      });
      const { code, reason } = JSON.parse(answer.text) as { code: string; reason: string };
      expectProblem(answer, code, reason);
    },
  );

  it('a problem document is the answer for malformed JSON, a body that is too large and another content type', async () => {
    const post = (raw: string, type = 'application/json') =>
      service.client.send('POST', '/auth/login', {
        headers: { accept: PROBLEM, 'content-type': type },
        raw,
      });
    expectProblem(await post('{"email": '), 'validation_error', 'body_malformed');
    expectProblem(await post('[]'), 'validation_error', 'body_malformed');
    expectProblem(
      await post('email=a', 'application/x-www-form-urlencoded'),
      'validation_error',
      'content_type_unsupported',
    );
    const large = await post(JSON.stringify({ email: 'x'.repeat(101 * 1024) }));
    expect(large.status).toBe(413);
    expectProblem(large, 'validation_error', 'body_too_large');
  });

  it.each([
    '/nowhere',
    '/auth/login/',
    ...(ON_NEXT ? [] : ['/%FF']),
    '/metrics',
    '/auth/sessions/1',
    '/internal/admin/users',
  ])('a problem document is the answer of %s', async (path) => {
    const answer = await service.client.send('GET', path, accepting(PROBLEM));
    const { code, reason } = JSON.parse(answer.text) as { code: string; reason: string };
    expectProblem(answer, code, reason);
  });

  it.each([
    ['/any', 'unauthorized', 'unauthorized'],
    ['/staff', 'unauthorized', 'unauthorized'],
    ['/fresh', 'unauthorized', 'unauthorized'],
    ['/billing', 'unauthorized', 'unauthorized'],
    ['/invoice', 'conflict', 'email_taken'],
  ])('a problem document is the answer of %s of a host app', async (path, code, reason) => {
    expectProblem(await host.client.send('GET', path, accepting(PROBLEM)), code, reason);
  });
});

describe('other clients', () => {
  it.each(['*/*', 'application/json', `application/json, ${PROBLEM};q=0.9`, `${PROBLEM};q=0`])(
    'a client gets the envelope with Accept: %s',
    async (accept) => {
      const answer = await service.client.send('GET', '/auth/me', accepting(accept));
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers.vary).toMatch(/\bAccept\b/);
      const { success, error } = JSON.parse(answer.text) as { success: boolean; error: object };
      expect([success, Object.keys(error)]).toEqual([false, ['code', 'message']]);
    },
  );
});

it('success is the same for all, and depends on no Accept', async () => {
  const answer = await service.client.send('GET', '/health', accepting(PROBLEM));
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers.vary ?? '').not.toMatch(/\bAccept\b/);
});

it('HEAD has the headers of the problem details and no body', async () => {
  const answer = await service.client.send('HEAD', '/auth/me', accepting(PROBLEM));
  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([401, PROBLEM, '']);
});

it('headers that depend on the origin are still set', async () => {
  const headers = { accept: PROBLEM, origin: 'https://app.example.com' };
  const { headers: answered } = await service.client.send('GET', '/auth/me', { headers });
  expect(answered.vary?.split(/, */).toSorted()).toEqual(
    ON_NEXT ? expect.arrayContaining(['Accept', 'Origin']) : ['Accept', 'Origin'],
  );
});
