import { afterEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { describeWithRedis, redisAvailable, startRedis } from '../support/redis.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { serviceForThisTest, type TestService } from '../support/service.js';

const REFUSED = { status: 429, code: 'rate_limited' };
/** An attempt that costs no password work and counts all the same. */
const cheapLogin = (service: TestService, headers = {}) =>
  service.api('POST', '/auth/login', { body: {}, headers });
const from = (address: string) => ({ 'x-forwarded-for': address });

async function inTurn(count: number, attempt: (index: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await attempt(index)).status);
  return statuses;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the limit of an address', () => {
  it('an address can sign in and register 30 times a minute in total by default', async () => {
    const service = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '' } });
    const user = await service.createUser();
    const logins = await inTurn(15, () =>
      service.api('POST', '/auth/login', { body: { email: user.email, password: user.password } }),
    );
    const registrations = await inTurn(15, (index) => {
      const body = { email: `new-${index}@example.com`, password: user.password, fullName: 'New' };
      return service.api('POST', '/auth/register', { body });
    });
    expect(logins).toEqual(Array(15).fill(200));
    expect(registrations).toEqual(Array(15).fill(201));
    const body = { email: 'late@example.com', password: user.password, fullName: 'Late' };
    const refused = await service.api('POST', '/auth/register', { body });
    expect(refused).toMatchObject(REFUSED);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await service.sql(`SELECT 1 FROM users WHERE email = 'late@example.com'`)).toEqual([]);
    expect(await cheapLogin(service)).toMatchObject(REFUSED);
  });

  it('an address can continue in the next minute', async () => {
    const service = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '3' } });
    const { email, password } = await service.createUser();
    const login = () => service.api('POST', '/auth/login', { body: { email, password } });
    expect(await inTurn(4, login)).toEqual([200, 200, 200, 429]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await inTurn(4, login)).toEqual([200, 200, 200, 429]);
  });

  it('an address over the limit is limited in nothing else', async () => {
    const service = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '1' } });
    const { accessToken, refreshToken } = await service.signedIn();
    expect(await cheapLogin(service)).toMatchObject(REFUSED);
    expect((await service.api('GET', '/auth/me', { token: accessToken })).status).toBe(200);
    expect((await service.api('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
    expect((await service.api('GET', '/health')).status).toBe(200);
  });

  it('an address gets no fresh count by headers of its own making', async () => {
    const service = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '' } });
    const statuses = await inTurn(40, (index) => {
      const address = `203.0.113.${index}`;
      const headers = { ...from(address), 'x-real-ip': address, forwarded: `for=${address}` };
      return service.api('POST', '/auth/login', {
        body: { email: `guess-${index}@example.com`, password: 'a wrong password' },
        headers,
      });
    });
    expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(10).fill(429)]);
  });

  it('an address over the limit is rejected before it learns whether registration is open', async () => {
    const env = { LOGIN_RATE_LIMIT: '2', PUBLIC_REGISTRATION_ENABLED: 'false' };
    const service = await serviceForThisTest({ env });
    const register = () => service.api('POST', '/auth/register', { body: {} });
    expect(await inTurn(3, register)).toEqual([403, 403, 429]);
  });
});

describe('a service behind a trusted proxy', () => {
  it.each(['1', '127.0.0.0/8'])(
    'each client address has a count of its own (TRUST_PROXY=%s)',
    async (trust) => {
      const service = await serviceForThisTest({ env: { TRUST_PROXY: trust, LOGIN_RATE_LIMIT: '2' } });
      expect(await inTurn(3, () => cheapLogin(service, from('203.0.113.1')))).toEqual([400, 400, 429]);
      expect(await inTurn(3, () => cheapLogin(service, from('203.0.113.2')))).toEqual([400, 400, 429]);
    },
  );

  it('only the address that the proxy itself has added counts', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '2' } });
    const forged = (index: number) => from(`198.51.100.${index}, 203.0.113.1`);
    expect(await inTurn(3, (index) => cheapLogin(service, forged(index)))).toEqual([400, 400, 429]);
  });

  it('IPv6 addresses count by their /64', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '3' } });
    const attempts = [
      '2001:db8:1:2::a',
      '2001:db8:1:2:ffff::1',
      '2001:0DB8:0001:0002:1:2:3:4',
      '2001:db8:1:2::b',
      '2001:db8:1:3::a',
    ];
    const statuses = await inTurn(attempts.length, (index) =>
      cheapLogin(service, from(attempts[index] ?? '')),
    );
    expect(statuses).toEqual([400, 400, 400, 429, 400]);
  });

  it('all texts that are no address share one count', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '2' } });
    const nonsense = ['nonsense', 'unknown', '999.1.1.1'];
    const statuses = await inTurn(3, (index) => cheapLogin(service, from(nonsense[index] ?? '')));
    expect(statuses).toEqual([400, 400, 429]);
  });

  it.each(['1', '127.0.0.1'])(
    'ports that the proxy forwards give no fresh count (TRUST_PROXY=%s)',
    async (trust) => {
      const service = await serviceForThisTest({ env: { TRUST_PROXY: trust, LOGIN_RATE_LIMIT: '2' } });
      const client = (port: number) => cheapLogin(service, from(`203.0.113.7:5000${port}`));
      expect(await inTurn(3, client)).toEqual([400, 400, 429]);
      const others = ['198.51.100.1:443', '[2001:db8::1]:443', '203.0.113.8'];
      expect(await inTurn(3, (index) => cheapLogin(service, from(others[index] ?? '')))).toEqual([
        400, 400, 400,
      ]);
    },
  );

  it('a trusted proxy is recognized by its address with a port', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '127.0.0.1,10.0.0.0/8' } });
    const { email, password } = await service.createUser();
    const headers = from('198.51.100.9, [2001:db8::7]:443, 10.0.0.7:8443');
    const { data } = await service.api('POST', '/auth/login', { body: { email, password }, headers });
    const [session] = (await service.api('GET', '/auth/sessions', { token: data.accessToken })).items;
    expect(session?.ipAddress).toBe('2001:db8::7');
  });

  it('requests whose forwarded address is no address are counted', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '1' } });
    await cheapLogin(service, from('unknown'));
    await cheapLogin(service, from('203.0.113.7:50001'));
    expect(await service.auth.metrics.text()).toMatch(/^latchkey_unknown_client_addresses_total 1$/m);
  });

  it('the session keeps the address of the client', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '1' } });
    const { email, password } = await service.createUser();
    const headers = from('2001:db8::7');
    const { data } = await service.api('POST', '/auth/login', { body: { email, password }, headers });
    const [session] = (await service.api('GET', '/auth/sessions', { token: data.accessToken })).items;
    expect(session?.ipAddress).toBe('2001:db8::7');
  });
});

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('guessing at one account, %s', (_which, redis) => {
  const it = test.skipIf(redis && !redisAvailable() && process.env.CI !== 'true');
  const proxied = () => serviceForThisTest({ redis, env: { TRUST_PROXY: '1' } });
  const once = (service: TestService, email: string, password: string, address: string) =>
    service.client.send('POST', '/auth/login', { body: { email, password }, headers: from(address) });
  /** Retries: a busy machine refuses passwords before they are compared (503). */
  const attempt = async (...request: Parameters<typeof once>): Promise<Answer> => {
    for (;;) {
      const answer = await once(...request);
      if (answer.status !== 503) return answer;
    }
  };
  /** Sends from as many addresses, so that no limit of an address has an effect. */
  const guess = (service: TestService, email: string, times: number) =>
    Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const answer = await once(service, email, 'a wrong password', `198.51.100.${index}`);
        return answer.status;
      }),
    );

  /** Sends the attempts one after the other from one address. @returns how many were compared. */
  const failUntilRefused = async (service: TestService, email: string) => {
    const next = () => attempt(service, email, 'a wrong password', '198.51.100.0');
    for (let failures = 0; failures < 40; failures += 1) {
      const { status } = await next();
      if (status === 429) return failures;
      expect(status).toBe(401);
    }
    throw new Error('40 failures in a row were compared.');
  };
  const rowsOf = (service: TestService, outcome: string) =>
    service.sql(
      `SELECT actor, subject_user_id, details FROM auth_audit_logs WHERE event = 'login' AND outcome = $1`,
      [outcome],
    );

  it('guessing makes addresses that have failed wait after 20 failures, and none that has signed in before', async () => {
    const service = await proxied();
    const { email, password } = await service.createUser();
    expect((await attempt(service, email, password, '203.0.113.1')).status).toBe(200);
    expect(await failUntilRefused(service, email)).toBe(20);

    const stranger = await attempt(service, email.toUpperCase(), password, '198.51.100.0');
    expect(stranger).toMatchObject(REFUSED);
    expect(Number(stranger.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect((await attempt(service, email, password, '203.0.113.1')).status).toBe(200);
  });

  it('guessing never compares more passwords of a burst than the limit and the single attempts of ten addresses', async () => {
    const service = await proxied();
    const { id, email, password } = await service.createUser();
    const statuses = await guess(service, email, 100);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    // Counts rows and not answers: on a busy machine an answer may be 503 after a timeout.
    const compared = await rowsOf(service, 'failure');
    expect(compared.length).toBeGreaterThanOrEqual(1);
    expect(compared.length).toBeLessThanOrEqual(30);

    const waits = await rowsOf(service, 'denied');
    expect(waits).toHaveLength(1);
    expect(waits).toMatchObject([
      { actor: 'anonymous', subject_user_id: id, details: { method: 'password', reason: 'rate_limited' } },
    ]);
    await failUntilRefused(service, email);
    expect(await attempt(service, email, password, '198.51.100.0')).toMatchObject(REFUSED);
  });

  it('guessing leaves an address that has not failed its one attempt during the wait', async () => {
    const service = await proxied();
    const { email, password } = await service.createUser();
    await failUntilRefused(service, email);
    expect((await attempt(service, email, 'a wrong password', '203.0.113.1')).status).toBe(401);
    expect(await attempt(service, email, password, '203.0.113.1')).toMatchObject(REFUSED);
    expect((await attempt(service, email, password, '203.0.113.2')).status).toBe(200);
  });

  it('guessing does not include a correct password of a user who cannot sign in', async () => {
    const service = await proxied();
    const { email, password } = await service.createUser({ active: false });
    const statuses: number[] = [];
    for (let time = 0; time < 25; time += 1) {
      statuses.push((await attempt(service, email, password, '203.0.113.1')).status);
    }
    expect(statuses).toEqual(Array(25).fill(403));
  });

  it('the wait after guessing ends at once with a new password from a mailed link', async () => {
    const service = await proxied();
    const resets = new ResetClient(service);
    const { email, token } = await resets.userWithToken();
    await failUntilRefused(service, email);
    expect((await attempt(service, email, 'a wrong password', '203.0.113.1')).status).toBe(401);
    expect(await attempt(service, email, 'a wrong password', '203.0.113.1')).toMatchObject(REFUSED);
    expect((await resets.confirm(token)).status).toBe(200);
    expect((await attempt(service, email, NEW_PASSWORD, '203.0.113.1')).status).toBe(200);
  });

  it('guessing is slowed down alike for an email without an account', async () => {
    const service = await proxied();
    const email = 'no-user@example.com';
    expect(await failUntilRefused(service, email)).toBe(20);
    expect(await attempt(service, email, 'a wrong password', '198.51.100.0')).toMatchObject(REFUSED);
    expect((await attempt(service, 'other@example.com', 'any password', '203.0.113.9')).status).toBe(401);
  });

  it('the count of failures restarts after a success', async () => {
    const service = await proxied();
    const { email, password } = await service.createUser();
    await guess(service, email, 19);
    expect((await attempt(service, email, password, '203.0.113.1')).status).toBe(200);
    await guess(service, email, 19);
    // Sent from an address that has failed, which would have to wait.
    expect((await attempt(service, email, password, '198.51.100.0')).status).toBe(200);
  });
});

describeWithRedis('two replicas with one Redis', () => {
  it('two replicas with one Redis count together', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const env = { LOGIN_RATE_LIMIT: '4' };
    const first = await serviceForThisTest({ env, redis: redis.url });
    const second = await serviceForThisTest({ env, redis: redis.url, databaseUrl: first.databaseUrl });
    const replicas = [first, second];
    const statuses = await inTurn(6, (index) => cheapLogin(replicas[index % 2] ?? first));
    expect(statuses).toEqual([400, 400, 400, 400, 429, 429]);
  });
});
