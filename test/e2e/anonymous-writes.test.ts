import { describe, expect, it } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { redisAvailable } from '../support/redis.js';
import { IS_FULL } from '../support/scale.js';
import { INTERNAL_KEY, serviceForThisTest, type TestService } from '../support/service.js';

const ATTACKER = '203.0.113.66';
const OTHER = '203.0.113.67';
/** More than twice what a minute allows. */
const MANY = IS_FULL ? 500 : 150;
const SECRET_HASH = `sha256:${'ab'.repeat(32)}`;

const from = (address: string) => ({ 'x-forwarded-for': address });
const started = (redis: boolean, env: Record<string, string> = {}) =>
  serviceForThisTest({
    redis,
    env: {
      TRUST_PROXY: '1',
      SERVICE_CLIENTS: JSON.stringify([
        { id: 'billing', secretHashes: [SECRET_HASH], audiences: ['latchkey'], scopes: ['internal:read'] },
      ]),
      ...env,
    },
  });

type Attempt = (service: TestService, address: string, index: number) => Promise<Answer>;

const wrongKey: Attempt = (service, address, index) =>
  service.api('GET', '/internal/admin/session-stats', {
    headers: { ...from(address), 'x-internal-api-key': `wrong key number ${index}` },
  });
const inventedCode: Attempt = (service, address, index) =>
  service.api('POST', '/auth/handoff/exchange', {
    body: { code: `lkh_${String(index).padStart(43, 'x')}` },
    headers: from(address),
  });
const wrongSecret: Attempt = (service, address, index) =>
  service.api('POST', '/auth/service-token', {
    body: { clientId: 'billing', clientSecret: `wrong secret number ${index}` },
    headers: from(address),
  });
const resetRequest: Attempt = (service, address, index) =>
  service.api('POST', '/auth/password-reset/request', {
    body: { email: `no-user-${index}@example.com` },
    headers: from(address),
  });

const mailedSignInRequest: Attempt = (service, address, index) =>
  service.api('POST', '/auth/login/mail', {
    body: { email: `no-user-${index}@example.com`, challenge: 'c'.repeat(43) },
    headers: from(address),
  });

const deletionLinkRequest: Attempt = (service, address, index) =>
  service.api('POST', '/auth/me/deletion/undo/send', {
    body: { email: `no-user-${index}@example.com` },
    headers: from(address),
  });

const verificationRequest: Attempt = (service, address, index) =>
  service.api('POST', '/auth/email/verify/resend', {
    body: { email: `no-user-${index}@example.com` },
    headers: from(address),
  });

/** Twenty at a time. */
async function send(count: number, attempt: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const next = Array.from({ length: Math.min(20, count - answers.length) }, (_, index) =>
      attempt(answers.length + index),
    );
    answers.push(...(await Promise.all(next)));
  }
  return answers;
}

/** Returns the most windows of a minute that can have begun: on a busy machine a test may last longer than one. */
const windowsSince = (start: number): number => 1 + Math.ceil((performance.now() - start) / 60_000);

const rowsOf = (service: TestService, event: string) =>
  service.sql('SELECT outcome, ip_address, details FROM auth_audit_logs WHERE event = $1 ORDER BY id', [
    event,
  ]);

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('anonymous requests that write a row, %s', (_which, redis) => {
  const skipped = redis && !redisAvailable() && process.env.CI !== 'true';

  it.skipIf(skipped).each([
    ['wrong machine keys', wrongKey, 'internal_key_rejected', 403],
    ['invented hand-off codes', inventedCode, 'handoff_exchanged', 401],
    ['wrong service secrets', wrongSecret, 'service_token_denied', 401],
  ])(
    'many %s of one address leave a handful of rows and are limited',
    async (_what, attempt, event, status) => {
      const service = await started(redis);
      const start = performance.now();
      const answers = await send(MANY, (index) => attempt(service, ATTACKER, index));

      const windows = windowsSince(start);
      const refused = answers.filter((answer) => answer.status === status);
      expect(refused.length).toBeGreaterThanOrEqual(60);
      expect(refused.length).toBeLessThanOrEqual(60 * windows);
      const limited = answers.filter(({ code }) => code === 'rate_limited');
      expect(refused.length + limited.length).toBe(MANY);
      for (const { headers } of limited) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect((await rowsOf(service, event)).length).toBeLessThanOrEqual(windows);

      expect((await attempt(service, OTHER, 0)).status).toBe(status);
      expect((await rowsOf(service, event)).map((row) => row.ip_address)).toContain(OTHER);
    },
  );

  it.skipIf(skipped)('a correct machine key passes while wrong ones of its address are limited', async () => {
    const service = await started(redis);
    await send(100, (index) => wrongKey(service, ATTACKER, index));
    expect(await wrongKey(service, ATTACKER, 100)).toMatchObject({ status: 429, code: 'rate_limited' });
    const right = await send(100, () =>
      service.api('GET', '/internal/admin/session-stats', {
        headers: { ...from(ATTACKER), 'x-internal-api-key': INTERNAL_KEY },
      }),
    );
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it.skipIf(skipped).each([
    ['reset requests', resetRequest, 'password_reset_requested'],
    ['requests for sign-ins by mail', mailedSignInRequest, 'mailed_sign_in_requested'],
    ['requests for links that keep an account', deletionLinkRequest, 'deletion_link_requested'],
    ['requests for registration mails', verificationRequest, 'email_verification_requested'],
  ])('%s have 60 a minute and address, apart from sign-ins', async (_what, request, event) => {
    const service = await started(redis, {
      LOGIN_RATE_LIMIT: '2',
      MAILED_SIGN_IN: 'on',
      ACCOUNT_DELETION: 'self',
    });
    const start = performance.now();
    const answers = await send(130, (index) => request(service, ATTACKER, index));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThanOrEqual(60);
    expect(accepted.length).toBeLessThanOrEqual(60 * windowsSince(start));
    expect(await rowsOf(service, event)).toHaveLength(accepted.length);
    expect((await request(service, OTHER, 0)).status).toBe(200);
    const login = await service.api('POST', '/auth/login', { body: {}, headers: from(ATTACKER) });
    expect(login.status).toBe(400);
  });
});

const MAILED = allRoutes.filter(({ limit }) => limit === 'mailed-token');

describe('requests with a token of a mail', () => {
  it.each(MAILED.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    'made-up tokens for %s are limited for their address alone',
    async (_name, { method, path }) => {
      const service = await started(false, { LOGIN_RATE_LIMIT: '30', ACCOUNT_DELETION: 'self' });
      const token = 'a-made-up-token-of-the-right-form-0123456789';
      const attempt = (address: string): Promise<Answer> =>
        method === 'get'
          ? service.api('GET', `${path}?token=${token}`, { headers: from(address) })
          : service.api('POST', path, {
              body: { token, password: 'a long walk home', newPassword: 'a long walk home', fullName: 'Ann' },
              headers: from(address),
            });
      const answers = await send(200, () => attempt(ATTACKER));
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited.length).toBeGreaterThan(0);
      for (const { code, headers } of limited) {
        expect(code).toBe('rate_limited');
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
      expect((await attempt(OTHER)).status).toBeLessThan(429);
    },
  );
});
