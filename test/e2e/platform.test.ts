import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ON_NEXT } from '../support/binding.js';
import { takeApart } from '../support/forged-token.js';
import { describeWithRedis } from '../support/redis.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { testKeys } from '../support/test-keys.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const keySet = async () => (await service.api('GET', '/.well-known/jwks.json')).body as JSONWebKeySet;

describe('health', () => {
  it('the process is alive and ready', async () => {
    const health = await service.api('GET', '/health');
    expect(health).toMatchObject({ status: 200, data: { status: 'ok' } });
    const ready = await service.api('GET', '/ready');
    const checks = { database: 'ok', redis: 'not_configured', finance: 'not_configured' };
    expect(ready).toMatchObject({ status: 200, data: { status: 'ready', checks } });
  });

  it('a configured finance database that cannot be reached makes the service unready, and only that', async () => {
    const away = `postgres://no-role@127.0.0.1:${await freePort()}/finance`;
    const withFinance = await serviceForThisTest({ env: { FINANCE_DATABASE_URL: away } });
    const ready = await withFinance.api('GET', '/ready');
    expect(ready).toMatchObject({ status: 503, code: 'not_ready', message: 'Not reachable: finance.' });
    expect((await withFinance.api('GET', '/health')).status).toBe(200);
    const { accessToken } = await withFinance.signedIn();
    expect((await withFinance.api('GET', '/auth/me', { token: accessToken })).status).toBe(200);
  });

  it('a finance database that answers is reported', async () => {
    const withFinance = await serviceForThisTest({ env: { FINANCE_DATABASE_URL: service.databaseUrl } });
    const ready = await withFinance.api('GET', '/ready');
    expect(ready.data).toMatchObject({ checks: { database: 'ok', finance: 'ok' } });
  });
});

describe('key set', () => {
  it('the key set is published without envelope, with public members only', async () => {
    const answer = await service.api('GET', '/.well-known/jwks.json');
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const { keys } = answer.body as JSONWebKeySet;
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(keys[0]).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' });
  });

  it('the key set names its key by the thumbprint of RFC 7638, as the header of an access token does', async () => {
    const [key] = (await keySet()).keys;
    const { accessToken } = await service.signedIn();
    const expected = await calculateJwkThumbprint(
      createPublicKey(testKeys().publicKeyPem).export({ format: 'jwk' }),
    );
    expect(key?.kid).toBe(expected);
    expect(takeApart(accessToken).header.kid).toBe(expected);
  });

  it('the key set is sufficient for another service to verify an access token', async () => {
    const { accessToken, id } = await service.signedIn();
    const verified = await jwtVerify(accessToken, createLocalJWKSet(await keySet()), {
      algorithms: ['RS256'],
      audience: 'latchkey',
      issuer: service.auth.settings.http.baseUrl,
      typ: 'at+jwt',
    });
    expect(verified.payload.sub).toBe(id);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/nope'],
    ['GET', '/auth'],
    ['POST', '/auth/signup'],
    ['POST', '/auth/checkout'],
    ['POST', '/auth/checkout/session'],
    ['POST', '/webhooks/stripe'],
    ['GET', '/auth/login'],
    ['DELETE', '/auth/me'],
    ['HEAD', '/nope'],
  ])('%s %s is not found', async (method, path) => {
    const answer = await service.client.send(method, path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    if (method !== 'HEAD') expect(answer.code).toBe('not_found');
  });

  it.skipIf(ON_NEXT)('a path that is no percent-encoded UTF-8 is a bad request', async () => {
    const answer = await service.machine('GET', '/internal/admin/users/%ff');
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
  });
});

describe('every answer', () => {
  it('every answer that carries tokens forbids caching', async () => {
    const user = await service.createUser();
    const answer = await service.api('POST', '/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('every answer repeats a well-formed request id and replaces any other', async () => {
    const sent = await service.api('GET', '/health', { headers: { 'x-request-id': 'trace-12345' } });
    expect(sent.headers['x-request-id']).toBe('trace-12345');
    const hostile = await service.api('GET', '/health', {
      headers: { 'x-request-id': 'a b {"level":"fatal"}' },
    });
    expect(hostile.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('every error holds nothing but code and message', async () => {
    const answer = await service.api('POST', '/auth/login', { raw: '{"email": ' });
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'validation_error', message: answer.message },
    });
  });
});

describeWithRedis('in production', () => {
  let production: TestService;
  beforeAll(async () => {
    const env = { APP_ENV: 'production', AUTH_BASE_URL: 'https://auth.example.com' };
    production = await startTestService({ redis: true, env });
  });
  afterAll(() => production.stop());

  it.each([
    ['/health', 200],
    ['/ready', 200],
    ['/.well-known/jwks.json', 200],
    ['/auth/me', 401],
    ['/internal/users', 401],
    ['/internal/admin/users', 403],
  ])('plain HTTP to %s is answered and not redirected', async (path, status) => {
    expect((await production.api('GET', path)).status).toBe(status);
  });

  it('signing in over plain HTTP, behind a proxy that ends TLS, is not redirected', async () => {
    const { accessToken } = await production.signedIn();
    expect((await production.api('GET', '/auth/me', { token: accessToken })).status).toBe(200);
    expect(takeApart(accessToken).claims.iss).toBe('https://auth.example.com');
  });

  it('common passwords are refused by default', async () => {
    const body = { email: 'new@example.com', password: 'password1', fullName: 'New' };
    expect(await production.api('POST', '/auth/register', { body })).toMatchObject({ status: 400 });
  });
});
