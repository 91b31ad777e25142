import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestIssuer, type TestIssuer } from '@latchkey/core/testing';
import { ApiClient } from '../../test/support/api-client.js';
import { signHs256, signRs256, takeApart, type TokenParts } from '../../test/support/forged-token.js';
import { mintTokens, signedInUser } from '../../test/support/minted-token.js';
import { startTestService, type TestService } from '../../test/support/service.js';
import { otherTestKeys, testKeys } from '../../test/support/test-keys.js';
import { KeySet } from './key-set.js';
import { reportsApp } from './reports-app.js';

const UNAUTHORIZED = { status: 401, code: 'unauthorized' };
const CANNOT_TELL = { status: 503, code: 'service_unavailable' };

const client = (server: Server): ApiClient =>
  new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const listen = (server: Server, port = 0): Promise<void> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
const close = (server: Server): Promise<unknown> =>
  new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });

describe('a service that trusts the key set of a running Latchkey', () => {
  let latchkey: TestService;
  let keys: KeySet;
  let server: Server;
  let reports: ApiClient;
  let token: string;
  let parts: TokenParts;

  beforeAll(async () => {
    latchkey = await startTestService();
    const { issuer, audience } = latchkey.auth.settings.tokens;
    keys = new KeySet({ url: new URL(`${latchkey.url}/.well-known/jwks.json`) });
    server = createServer(reportsApp({ issuer, audience, keys, latchkeyUrl: latchkey.url }));
    await listen(server);
    reports = client(server);
    ({ token } = await signedInUser(latchkey));
    parts = takeApart(token);
  });
  afterAll(async () => {
    reports.close();
    keys.close();
    await close(server);
    await latchkey.stop();
  });

  const get = (path: string, bearer?: string) => reports.send('GET', path, { token: bearer });
  const payOut = (bearer?: string) => reports.send('POST', '/payouts', { token: bearer });
  const changed = (claims: Record<string, unknown>, header: Record<string, unknown> = {}): TokenParts => ({
    header: { ...parts.header, ...header },
    claims: { ...parts.claims, ...claims },
  });

  it('the service accepts an access token and reads the caller from it', async () => {
    const answer = await get('/reports', token);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(String(parts.claims.sub));
  });

  it('the service rejects a request without a token in the header', async () => {
    const answers = [await get('/reports'), await get(`/reports?access_token=${token}`)];
    for (const answer of answers) {
      expect(answer).toMatchObject(UNAUTHORIZED);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('the service accepts the scheme Bearer in any case, and no other scheme', async () => {
    const authorized = (authorization: string) =>
      reports.send('GET', '/reports', { headers: { authorization } });
    expect((await authorized(`bearer ${token}`)).status).toBe(200);
    for (const header of [`Basic ${token}`, 'Bearer', `Bearer ${token} x`, token]) {
      expect(await authorized(header)).toMatchObject(UNAUTHORIZED);
    }
  });

  it.each<[string, () => string]>([
    ['for another audience', () => signRs256(changed({ aud: 'other-service' }))],
    ['of another issuer', () => signRs256(changed({ iss: 'https://elsewhere.example.com' }))],
    ['that has expired', () => signRs256(changed({ exp: Math.floor(Date.now() / 1000) - 6 }))],
    ['that never expires', () => signRs256(changed({ exp: undefined }))],
    ['that is not valid yet', () => signRs256(changed({ nbf: Math.floor(Date.now() / 1000) + 60 }))],
    ['without a user', () => signRs256(changed({ sub: undefined }))],
    ['without a session', () => signRs256(changed({ sid: undefined }))],
    ['without a role', () => signRs256(changed({ globalRole: undefined }))],
    ['whose user is no UUID', () => signRs256(changed({ sub: 'ann' }))],
    ['whose role is no text', () => signRs256(changed({ globalRole: ['PLATFORM_ADMIN'] }))],
    ['of another type', () => signRs256(changed({}, { typ: 'service+jwt' }))],
    ['of no type', () => signRs256(changed({}, { typ: undefined }))],
    ['signed with another key', () => signRs256(parts, otherTestKeys().privateKeyPem)],
    ['that names an unknown key', () => signRs256(changed({}, { kid: 'unknown' }))],
    ['with its signature left out', () => `${token.split('.').slice(0, 2).join('.')}.`],
    [
      'that says it needs no signature',
      () =>
        `${signHs256(changed({}, { alg: 'none' }), 'x')
          .split('.')
          .slice(0, 2)
          .join('.')}.`,
    ],
    [
      'signed with the public key as a secret',
      () => signHs256(changed({}, { alg: 'HS256' }), testKeys().publicKeyPem),
    ],
    ['that is none', () => 'x.y.z'],
  ])('the service rejects a token %s', async (_what, forge) => {
    expect(await get('/reports', forge())).toMatchObject(UNAUTHORIZED);
  });

  it('a staff route accepts staff only', async () => {
    const staff = await signedInUser(latchkey, { role: 'PLATFORM_MODERATOR' });
    expect((await get('/reports/all', staff.token)).status).toBe(200);
    expect(await get('/reports/all', token)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('the service does not detect a revoked session, except on routes that check it', async () => {
    const user = await latchkey.createUser();
    const { token: ended, refreshToken } = await mintTokens(latchkey, user.id);
    expect((await payOut(ended)).status).toBe(201);

    await latchkey.api('POST', '/auth/logout', { body: { refreshToken } });

    expect((await get('/reports', ended)).status).toBe(200);
    expect(await payOut(ended)).toMatchObject({ status: 401, code: 'session_revoked' });
  });

  it('the session check is skipped for an invalid token', async () => {
    expect(await payOut(signRs256(changed({ aud: 'other-service' })))).toMatchObject(UNAUTHORIZED);
  });
});

describe('the key set of an issuer', () => {
  let issuer: TestIssuer;
  let front: KeySetFront;
  let keys: KeySet;
  let server: Server;
  let reports: ApiClient;

  beforeEach(async () => {
    issuer = await createTestIssuer({ issuer: 'https://auth.example.com' });
    front = await KeySetFront.start(issuer);
    keys = new KeySet({ url: new URL(front.url), cooldownSeconds: 0 });
    server = createServer(
      reportsApp({ issuer: issuer.issuer, audience: issuer.audience, keys, latchkeyUrl: front.url }),
    );
    await listen(server);
    reports = client(server);
    return async () => {
      reports.close();
      keys.close();
      await Promise.all([close(server), front.stop(), issuer.close()]);
    };
  });
  const read = (token: string) => reports.send('GET', '/reports', { token });
  const payOut = (token: string) => reports.send('POST', '/payouts', { token });

  it('the key set is fetched again for a new key, and for no other token', async () => {
    const before = await issuer.token();
    expect((await read(before)).status).toBe(200);
    expect((await read(before)).status).toBe(200);
    expect(front.calls).toBe(1);

    await issuer.rotate();
    expect((await read(await issuer.token())).status).toBe(200);
    expect((await read(before)).status).toBe(200);
    expect(front.calls).toBe(2);
  });

  it('a withdrawn key is rejected after the next fetch', async () => {
    const before = await issuer.token();
    expect((await read(before)).status).toBe(200);

    await issuer.rotate();
    await issuer.retireFormerKeys();
    expect(await keys.refresh()).toBe(true);

    expect(await read(before)).toMatchObject(UNAUTHORIZED);
    expect((await read(await issuer.token())).status).toBe(200);
  });

  it('known keys keep working while the issuer is unavailable', async () => {
    const before = await issuer.token();
    expect((await read(before)).status).toBe(200);
    await issuer.rotate();
    const after = await issuer.token();
    await front.stop();

    expect(await keys.refresh()).toBe(false);
    expect((await read(before)).status).toBe(200);
    const unknown = await read(after);
    expect(unknown).toMatchObject(CANNOT_TELL);
    expect(unknown.headers['retry-after']).toBe('5');
    expect(await payOut(before)).toMatchObject(CANNOT_TELL);

    await front.listen();
    expect((await read(after)).status).toBe(200);
  });

  it.each([
    ['an error', 500, '{}'],
    ['a page', 200, '<html>'],
    ['something else', 200, '{"keys": 1}'],
    ['a redirect', 302, ''],
  ])('a key set that arrives as %s causes 503, not 401', async (_what, status, body) => {
    const token = await issuer.token();
    front.fault = { status, body };
    expect(await read(token)).toMatchObject(CANNOT_TELL);

    front.fault = undefined;
    expect((await read(token)).status).toBe(200);
    front.fault = { status, body };
    expect(await payOut(token)).toMatchObject(CANNOT_TELL);
  });
});

/** A proxy for an issuer that counts requests, fails on request, and can stop and restart on its address. */
class KeySetFront {
  calls = 0;
  fault: { status: number; body: string } | undefined;
  readonly #server: Server;
  #port = 0;

  private constructor(issuer: TestIssuer) {
    this.#server = createServer((_request, response) => {
      this.calls++;
      const { status, body } = this.fault ?? { status: 200, body: JSON.stringify(issuer.jwks) };
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
  }

  static async start(issuer: TestIssuer): Promise<KeySetFront> {
    const front = new KeySetFront(issuer);
    await front.listen();
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    await listen(this.#server, this.#port);
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  stop(): Promise<unknown> {
    return close(this.#server);
  }
}
