import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ON_NEXT } from '../support/binding.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { refresh, rotated } from '../support/refresh.js';
import { registerWithLink } from '../support/registration-client.js';
import { ResetClient } from '../support/reset-client.js';
import { getMetrics, growthBetween, growthOf, scrape } from '../support/scrape.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { PASSWORD } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const DURATION = 'latchkey_http_request_duration_seconds';
const SECRET = 'secret-of-the-billing-service';
const CLIENT = {
  id: 'billing',
  secretHashes: [`sha256:${createHash('sha256').update(SECRET).digest('hex')}`],
  audiences: ['latchkey'],
  scopes: ['internal:read', 'internal:write'],
};

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    env: { ...PASSKEY_ENV, SERVICE_CLIENTS: JSON.stringify([CLIENT]) },
  });
});

afterAll(() => service.stop());

const login = (email: string, password: string) =>
  service.api('POST', '/auth/login', { body: { email, password } });

/** A sign-in of which only the first half of the body was sent; `complete` sends the rest and awaits the answer. */
async function halfSent(): Promise<{ complete: () => Promise<void> }> {
  const { email, password } = await service.createUser();
  const body = JSON.stringify({ email, password });
  const outgoing = request(`${service.url}/auth/login`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  const [begin, end] = [body.slice(0, 20), body.slice(20)];
  outgoing.write(begin);
  const complete = async () => {
    outgoing.end(end);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(incoming.statusCode).toBe(200);
    await once(incoming.resume(), 'end');
  };
  return { complete };
}

const growth = (name: string, work: () => Promise<unknown>) => growthOf(service, name, work);

describe('GET /metrics', () => {
  it('GET /metrics answers in the text format of Prometheus, which must not be cached', async () => {
    const answer = await getMetrics(service);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('GET /metrics takes the internal key as a Bearer token too', async () => {
    expect((await getMetrics(service, { authorization: `Bearer ${INTERNAL_KEY}` })).status).toBe(200);
  });

  it('GET /metrics takes a service token with the read scope', async () => {
    const body = { clientId: 'billing', clientSecret: SECRET, scope: 'internal:read' };
    const { data } = await service.api('POST', '/auth/service-token', { body });
    const answer = await getMetrics(service, { 'x-service-token': String(data.serviceToken) });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['no key', {}],
    ['a wrong key', { 'x-internal-api-key': 'wrong' }],
    [
      'a wrong key beside the right Bearer token',
      { 'x-internal-api-key': 'wrong', authorization: `Bearer ${INTERNAL_KEY}` },
    ],
    ['a wrong Bearer token', { authorization: 'Bearer wrong' }],
    ['the key under another scheme', { authorization: `Basic ${INTERNAL_KEY}` }],
    ['an empty key', { 'x-internal-api-key': '' }],
  ])('GET /metrics is forbidden with %s', async (_what, headers) => {
    const answer = await service.api('GET', '/metrics', { headers });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('GET /metrics is forbidden to a superadmin, who is no machine', async () => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    expect(await service.api('GET', '/metrics', { token })).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('GET /metrics audits a wrong key, in either header', async () => {
    // Each is sent from an address of its own: equal refusals of one address share a row.
    const proxied = await serviceForThisTest({ env: { TRUST_PROXY: '1' } });
    const scrape = (address: string, headers: Record<string, string> = {}) =>
      proxied.api('GET', '/metrics', { headers: { 'x-forwarded-for': address, ...headers } });
    await scrape('203.0.113.1', { 'x-internal-api-key': 'wrong' });
    await scrape('203.0.113.2', { authorization: 'Bearer wrong' });
    await scrape('203.0.113.3');
    const rows = await proxied.sql(
      `SELECT ip_address FROM auth_audit_logs WHERE event = 'internal_key_rejected' ORDER BY ip_address`,
    );
    expect(rows.map((row) => row.ip_address)).toEqual(['203.0.113.1', '203.0.113.2']);
  });

  it.each(['POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])(
    'GET /metrics is not found by %s',
    async (method) => {
      expect(await service.machine(method, '/metrics')).toMatchObject({ status: 404, code: 'not_found' });
    },
  );
});

describe('the metrics of a request', () => {
  it('a request is timed under the pattern of its route, its method and its status', async () => {
    const work = () => service.machine('GET', `/internal/admin/users/${randomUUID()}`);
    expect(await growth(`${DURATION}_count`, work)).toEqual({ '/internal/admin/users/{id} GET 404': 1 });
  });

  it('a request for a page is timed under the path of the page', async () => {
    const work = () => service.client.send('GET', '/login?x=1');
    expect(await growth(`${DURATION}_count`, work)).toEqual({ '/login GET 200': 1 });
  });

  it('a request without a route leaves nothing behind, whatever its path', async () => {
    const work = async () => {
      await service.api('GET', '/nope/4711');
      await service.api('PUT', '/auth/me');
      if (!ON_NEXT) await service.api('PROPFIND', '/login');
    };
    expect(await growth(`${DURATION}_count`, work)).toEqual({});
  });

  it('a request is in flight until it is answered', async () => {
    expect((await scrape(service)).sum('latchkey_http_requests_in_flight')).toBe(0);
    const during = () => scrape(service).then((scraped) => scraped.sum('latchkey_http_requests_in_flight'));
    const half = await halfSent();
    await expect.poll(during).toBe(1);
    await half.complete();
    await expect.poll(during).toBe(0);
  });
});

describe('the metrics of a sign-in with a password', () => {
  const SIGN_INS = 'latchkey_sign_ins_total';

  /** Repeats itself on a busy machine, which refuses passwords before they are compared (503). */
  async function wrongGuess(email: string): Promise<void> {
    const answers = async () => (await login(email, 'not the password')).status !== 503;
    await waitUntil(answers, { what: 'a guess that is compared' });
  }

  it('a sign-in that succeeds costs one verification and passes both limits', async () => {
    const costly = await serviceForThisTest({ realPasswordCost: true });
    const { email, password } = await costly.createUser();
    // Repeated on a busy machine, which refuses the password before it is compared (503).
    const { signIns, before, after } = await waitUntil(
      async () => {
        const start = await scrape(costly);
        const answer = await costly.api('POST', '/auth/login', { body: { email, password } });
        const end = await scrape(costly);
        return (
          answer.status !== 503 && { signIns: growthBetween(start, end, SIGN_INS), before: start, after: end }
        );
      },
      { what: 'a sign-in that is compared' },
    );
    expect(signIns).toEqual({ 'password success': 1 });
    const grown = (name: string, labels: Record<string, string>) =>
      (after.sum(name, labels) ?? 0) - (before.sum(name, labels) ?? 0);
    const hashing = 'latchkey_password_hashing_duration_seconds';
    expect(grown(`${hashing}_count`, { operation: 'verify' })).toBe(1);
    expect(grown(`${hashing}_sum`, { operation: 'verify' })).toBeGreaterThan(0.001);
    const decisions = 'latchkey_rate_limit_decisions_total';
    expect(grown(decisions, { limit: 'address', decision: 'allowed' })).toBe(1);
    expect(grown(decisions, { limit: 'account', decision: 'allowed' })).toBe(1);
  });

  it('a sign-in with a wrong password, or of an unknown user, is a failure', async () => {
    const { email } = await service.createUser();
    const work = async () => {
      await login(email, 'not the password');
      await login(`no-user-${randomUUID()}@example.com`, 'not the password');
    };
    expect(await growth(SIGN_INS, work)).toEqual({ 'password failure': 2 });
  });

  it('a sign-in of a pending user is denied', async () => {
    const { email, password } = await service.createUser({ approval: 'PENDING' });
    expect(await growth(SIGN_INS, () => login(email, password))).toEqual({ 'password denied': 1 });
  });

  it('a sign-in after too many failures is limited, and so counted for the limit of the account', async () => {
    const { email, password } = await service.createUser();
    await Promise.all(Array.from({ length: 20 }, () => wrongGuess(email)));
    const decisions = 'latchkey_rate_limit_decisions_total';
    const before = await scrape(service);
    expect(await growth(SIGN_INS, () => login(email, password))).toEqual({ 'password limited': 1 });
    const after = await scrape(service);
    const labels = { limit: 'account', decision: 'limited' };
    expect((after.sum(decisions, labels) ?? 0) - (before.sum(decisions, labels) ?? 0)).toBe(1);
  });
});

describe('the metrics of a refresh', () => {
  const REFRESHES = 'latchkey_refreshes_total';

  it('a refresh that rotates is counted apart from one that overlaps with it', async () => {
    const { refreshToken } = await signedInUser(service);
    const work = () => Promise.all([refresh(service, refreshToken), refresh(service, refreshToken)]);
    expect(await growth(REFRESHES, work)).toEqual({ rotated: 1, coalesced: 1 });
  });

  it('a refresh with a token that was used before is reuse, and later ones find the session revoked', async () => {
    const { refreshToken } = await signedInUser(service);
    const newest = await rotated(service, await rotated(service, refreshToken));
    expect(await growth(REFRESHES, () => refresh(service, refreshToken))).toEqual({ reuse: 1 });
    expect(await growth(REFRESHES, () => refresh(service, newest))).toEqual({ revoked: 1 });
  });

  it('a refresh with no token, or an unknown one, is unknown', async () => {
    const { refreshToken } = await signedInUser(service);
    const foreign = `${refreshToken.slice(0, 12)}${refreshToken.slice(12).replace(/[a-m]/g, 'q')}`;
    const work = async () => {
      await refresh(service, 'no-token');
      await refresh(service, foreign);
    };
    expect(await growth(REFRESHES, work)).toEqual({ unknown: 2 });
  });

  it('a refresh of a session that has expired is expired', async () => {
    const { id, refreshToken } = await signedInUser(service);
    await service.sql(`UPDATE sessions SET expires_at = now() - interval '1 s' WHERE user_id = $1`, [id]);
    expect(await growth(REFRESHES, () => refresh(service, refreshToken))).toEqual({ expired: 1 });
  });

  it('a refresh of a user who can no longer sign in is denied', async () => {
    const { id, refreshToken } = await signedInUser(service);
    await service.sql('UPDATE users SET is_active = false WHERE id = $1', [id]);
    expect(await growth(REFRESHES, () => refresh(service, refreshToken))).toEqual({ denied: 1 });
  });
});

describe('other counted operations', () => {
  it('registrations are counted: new ones, taken emails and bad passwords', async () => {
    const body = {
      email: `new-${randomUUID()}@example.com`,
      password: 'a horse of another colour',
      fullName: 'New',
    };
    const work = async () => {
      await service.api('POST', '/auth/register', { body });
      await service.api('POST', '/auth/register', { body });
      await service.api('POST', '/auth/register', { body: { ...body, password: 'abc' } });
    };
    expect(await growth('latchkey_registrations_total', work)).toEqual({
      success: 1,
      conflict: 1,
      invalid: 1,
    });
  });

  it('password resets are counted: requests, confirmations, and a link used again', async () => {
    const invitations = new ResetClient(service);
    const work = async () => {
      const { token } = await invitations.userWithToken();
      await invitations.confirm(token);
      await invitations.confirm(token);
      await invitations.request(`no-user-${randomUUID()}@example.com`);
    };
    expect(await growth('latchkey_password_resets_total', work)).toEqual({
      'request success': 2,
      'confirm success': 1,
      'confirm invalid': 1,
    });
  });

  it('verifications of mailboxes are counted: links used, used again and requested', async () => {
    const work = async () => {
      const { email, token, rejection } = await registerWithLink(service);
      await service.api('POST', '/auth/email/verify/resend', { body: { email } });
      await service.api('POST', '/auth/email/verify', { body: { token } });
      await service.api('POST', '/auth/email/verify', { body: { token } });
      await service.api('POST', '/auth/email/verify/reject', { body: { token: rejection } });
    };
    expect(await growth('latchkey_email_verifications_total', work)).toEqual({
      'resend success': 1,
      'verify success': 1,
      'verify invalid': 1,
      'reject invalid': 1,
    });
  });

  it('changes of the email address are counted: requests, confirmations, and undone ones', async () => {
    const changes = new EmailChangeClient(service);
    const work = async () => {
      const user = await service.signedIn();
      await changes.request(user.accessToken, user.email);
      const { undo } = await changes.changed(user);
      await changes.undo(undo);
      await changes.undo(undo);
    };
    expect(await growth('latchkey_email_changes_total', work)).toEqual({
      'request invalid': 1,
      'request success': 1,
      'confirm success': 1,
      'undo success': 1,
      'undo invalid': 1,
    });
  });

  it('service tokens are counted: issued, and refused for a secret and for a scope', async () => {
    const ask = (fields: object) =>
      service.api('POST', '/auth/service-token', {
        body: { clientId: 'billing', clientSecret: SECRET, ...fields },
      });
    const work = async () => {
      await ask({});
      await ask({ clientSecret: 'wrong' });
      await ask({ scope: 'ledger:post' });
    };
    expect(await growth('latchkey_service_tokens_total', work)).toEqual({
      success: 1,
      failure: 1,
      denied: 1,
    });
  });

  it('sign-ins with a passkey are counted, and those with one for another origin', async () => {
    const owner = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    expect((await registerPasskey(service, owner, authenticator)).status).toBe(201);
    const work = async () => {
      expect((await signInWithPasskey(service, authenticator)).status).toBe(200);
      await signInWithPasskey(service, authenticator, { rpId: 'elsewhere.example' });
    };
    expect(await growth('latchkey_sign_ins_total', work)).toEqual({
      'passkey success': 1,
      'passkey failure': 1,
    });
  });

  it('a new user who accepts an invitation is counted, an existing user is not', async () => {
    const invitations = await InvitationClient.open(service);
    const [newcomer, known] = [
      await invitations.invite(),
      await invitations.invite({ email: (await service.createUser()).email }),
    ];
    const work = async () => {
      expect((await invitations.accept({ token: newcomer.token, password: PASSWORD })).status).toBe(200);
      expect((await invitations.accept({ token: known.token })).status).toBe(200);
    };
    expect(await growth('latchkey_sign_ins_total', work)).toEqual({ 'invitation success': 1 });
  });

  it('a hand-off code that is exchanged is counted, and an unknown one', async () => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const { data } = await service.api('POST', '/auth/handoff/create', {
      token,
      headers: { 'x-org': randomUUID() },
      body: {},
    });
    const exchange = (code: unknown) => service.api('POST', '/auth/handoff/exchange', { body: { code } });
    const work = async () => {
      expect((await exchange(data.code)).status).toBe(200);
      await exchange(data.code);
    };
    expect(await growth('latchkey_sign_ins_total', work)).toEqual({
      'handoff success': 1,
      'handoff failure': 1,
    });
  });
});

describe('values that are read at each scrape', () => {
  it('the metrics show dependencies, the pool, the store, threads and the version', async () => {
    const scraped = await scrape(service);
    expect(scraped.of('latchkey_dependency_up')).toMatchObject([
      { labels: { dependency: 'database' }, value: 1 },
    ]);
    expect(scraped.sum('latchkey_database_pool_max_connections', { pool: 'main' })).toBe(
      service.auth.settings.database.poolMax,
    );
    expect(scraped.sum('latchkey_database_pool_connections', { pool: 'main' })).toBeGreaterThan(0);
    expect(scraped.of('latchkey_ephemeral_store_info')).toMatchObject([
      { labels: { kind: 'memory' }, value: 1 },
    ]);
    expect(scraped.sum('latchkey_password_hashing_threads')).toBe(service.auth.facts.hashingThreads);
    expect(scraped.of('latchkey_build_info')).toMatchObject([
      { labels: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string }, value: 1 },
    ]);
    expect(scraped.sum('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(scraped.sum('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });
});

it('no secret, no user and no id of this run is in the metrics', async () => {
  const { text } = await scrape(service);
  const people = await service.sql('SELECT id::text, email FROM users');
  const sessions = await service.sql('SELECT id::text FROM sessions');
  const words = [...people, ...sessions].flatMap((row) => Object.values(row).map(String));
  const known = [...words, ...service.client.secrets, INTERNAL_KEY, SECRET, '127.0.0.1'];
  expect(known.length).toBeGreaterThan(50);
  expect(known.filter((each) => text.includes(each))).toEqual([]);
});
