import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { signRs256, signSpelled, takeApart } from '../support/forged-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const OLD = 'old-secret-of-the-billing-service';
const NEW = 'new-secret-of-the-billing-service';
const hashOf = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`;

const billing = (secrets: string[]) => ({
  id: 'billing',
  secretHashes: secrets.map(hashOf),
  audiences: ['latchkey', 'https://ledger.example.com'],
  scopes: ['internal:read', 'internal:write', 'ledger:post'],
});

const withClients = (...clients: object[]) => ({ env: { SERVICE_CLIENTS: JSON.stringify(clients) } });

const ask = (service: TestService, body: object): Promise<Answer> =>
  service.api('POST', '/auth/service-token', { body });

interface Shown {
  service: TestService;
  token: unknown;
  body?: object;
}

const show = (
  { service, token, body }: Shown,
  method: string,
  path = '/internal/admin/users',
): Promise<Answer> =>
  service.api(method, path, { headers: { 'x-service-token': String(token) }, ...(body && { body }) });

describe('service tokens', () => {
  let service: TestService;
  const credentials = { clientId: 'billing', clientSecret: NEW };

  beforeAll(async () => {
    service = await startTestService(
      withClients(billing([OLD, NEW]), { ...billing([NEW]), id: 'reader', scopes: ['internal:read'] }),
    );
  });
  afterAll(() => service.stop());

  it('a configured client gets a short-lived token of its own type', async () => {
    const answer = await ask(service, credentials);
    const token = String(answer.data.serviceToken);
    const claims = decodeJwt(token);

    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ tokenType: 'Service', expiresIn: 300 });
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'service+jwt' });
    expect(claims).toMatchObject({
      aud: 'latchkey',
      sub: 'billing',
      scope: 'internal:read internal:write ledger:post',
    });
    expect(claims).not.toHaveProperty('sid');
    expect(claims).not.toHaveProperty('globalRole');
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  it('the client id and secret can be sent as HTTP Basic, without a body', async () => {
    const authorization = `Basic ${Buffer.from(`billing:${NEW}`).toString('base64')}`;
    const answer = await service.api('POST', '/auth/service-token', { headers: { authorization } });
    expect(answer.status, answer.text).toBe(200);
  });

  it('audience and scope can be narrowed, never widened', async () => {
    const narrow = await ask(service, {
      ...credentials,
      audience: 'https://ledger.example.com',
      scope: 'ledger:post',
    });
    expect(decodeJwt(String(narrow.data.serviceToken))).toMatchObject({
      aud: 'https://ledger.example.com',
      scope: 'ledger:post',
    });
    expect(await ask(service, { ...credentials, audience: 'https://evil.example.com' })).toMatchObject({
      status: 403,
    });
    expect(await ask(service, { ...credentials, scope: 'ledger:post root' })).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });

  it('a wrong secret and an unknown client get the same answer', async () => {
    const wrong = await ask(service, { clientId: 'billing', clientSecret: 'wrong' });
    const unknown = await ask(service, { clientId: 'unknown', clientSecret: NEW });

    expect(wrong).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(unknown.body).toEqual(wrong.body);
  });

  it.each([[{}], [{ clientId: 'billing' }], [{ clientId: 1, clientSecret: [] }]])(
    'incomplete credentials %j are a bad request',
    async (body) => {
      expect(await ask(service, body)).toMatchObject({ status: 400, code: 'validation_error' });
    },
  );

  it('a service token opens machine routes by scope', async () => {
    const { serviceToken: all } = (await ask(service, credentials)).data;
    const { serviceToken: reading } = (await ask(service, { clientId: 'reader', clientSecret: NEW })).data;
    const newUser = { email: 'made-by-billing@example.com' };

    expect((await show({ service, token: reading }, 'GET')).status).toBe(200);
    const head = { headers: { 'x-service-token': String(reading) } };
    expect((await service.client.send('HEAD', '/internal/admin/users', head)).status).toBe(200);
    expect(await show({ service, token: reading, body: newUser }, 'POST')).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    expect((await show({ service, token: all, body: newUser }, 'POST')).status).toBe(201);
  });

  it.each([
    ['an expiry beyond all numbers', { exp: '1e400' }],
    ['a time of issue before all numbers', { iat: '-1e400' }],
    ['a start before all numbers', { nbf: '-1e400' }],
  ])('a token with %s opens nothing', async (_what, spelled) => {
    const { data } = await ask(service, credentials);
    const good = takeApart(String(data.serviceToken));
    expect((await show({ service, token: signSpelled(good, {}) }, 'GET')).status).toBe(200);
    expect(await show({ service, token: signSpelled(good, spelled) }, 'GET')).toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
  });

  it('a token is accepted in one encoding only', async () => {
    const { serviceToken: token } = (await ask(service, credentials)).data;
    expect((await show({ service, token }, 'GET')).status).toBe(200);
    for (const tail of ['=', 'A', '==']) {
      const answer = await show({ service, token: `${String(token)}${tail}` }, 'GET');
      expect(answer, tail).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  it('a token for another audience opens nothing', async () => {
    const { serviceToken } = (await ask(service, { ...credentials, audience: 'https://ledger.example.com' }))
      .data;
    expect(await show({ service, token: serviceToken }, 'GET')).toMatchObject({ status: 401 });
  });

  it('neither type of token is accepted as the other', async () => {
    const user = await service.signedIn({ role: 'PLATFORM_SUPERADMIN' });
    const { serviceToken } = (await ask(service, credentials)).data;

    expect(await show({ service, token: user.accessToken }, 'GET')).toMatchObject({
      status: 401,
    });
    expect(await service.api('GET', '/auth/me', { token: String(serviceToken) })).toMatchObject({
      status: 401,
    });
    expect(await service.api('GET', '/internal/users', { token: String(serviceToken) })).toMatchObject({
      status: 401,
    });
  });

  it('the type decides also for a token that has every claim of a service token', async () => {
    const { header, claims } = takeApart(String((await ask(service, credentials)).data.serviceToken));
    const shown = async (typ: string) =>
      (await show({ service, token: signRs256({ header: { ...header, typ }, claims }) }, 'GET')).status;
    expect(await shown('service+jwt')).toBe(200);
    for (const typ of ['at+jwt', 'JWT', 'application/at+jwt']) expect(await shown(typ)).toBe(401);
  });

  it('a wrong internal key beside a good service token is refused: the key decides alone', async () => {
    const { serviceToken } = (await ask(service, credentials)).data;
    const headers = { 'x-service-token': String(serviceToken), 'x-internal-api-key': 'wrong-key-wrong-key' };
    expect(await service.api('GET', '/internal/admin/users', { headers })).toMatchObject({ status: 403 });
  });

  it('issue and denial of service tokens are audited without the secret', async () => {
    const rows = await service.sql(
      `SELECT event, actor FROM auth_audit_logs WHERE event IN ('service_token_issued', 'service_token_denied')`,
    );
    expect(new Set(rows.map((row) => row.event))).toEqual(
      new Set(['service_token_issued', 'service_token_denied']),
    );
    expect(JSON.stringify(rows)).not.toContain(NEW);
  });
});

describe('rotating a service secret', () => {
  it('both secrets work until the old one is removed', async () => {
    const during = await serviceForThisTest(withClients(billing([OLD, NEW])));
    const after = await serviceForThisTest(withClients(billing([NEW])));

    for (const clientSecret of [OLD, NEW]) {
      expect((await ask(during, { clientId: 'billing', clientSecret })).status).toBe(200);
    }
    expect(await ask(after, { clientId: 'billing', clientSecret: OLD })).toMatchObject({ status: 401 });
  });

  it('a token of a client that was removed stops working', async () => {
    const before = await serviceForThisTest(withClients(billing([NEW])));
    const { serviceToken } = (await ask(before, { clientId: 'billing', clientSecret: NEW })).data;
    const after = await serviceForThisTest({
      env: {
        SERVICE_CLIENTS: JSON.stringify([{ ...billing([NEW]), id: 'other' }]),
        JWT_ISSUER: before.auth.settings.tokens.issuer,
      },
    });

    expect((await show({ service: before, token: serviceToken }, 'GET')).status).toBe(200);
    expect(await show({ service: after, token: serviceToken }, 'GET')).toMatchObject({ status: 401 });
  });
});

describe('a service without clients', () => {
  it('no caller gets a service token without configured clients', async () => {
    const service = await serviceForThisTest();
    expect(await ask(service, { clientId: 'billing', clientSecret: NEW })).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
  });
});
