import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import { CoreService } from '../../examples/core-service/core-service.js';
import { signRs256, takeApart } from '../support/forged-token.js';
import { insertInvitation } from '../support/insert-invitation.js';
import { asSignedInByPassword, mintTokens, signedInUser } from '../support/minted-token.js';
import { nameOf } from '../support/route-request.js';
import { RouteWalker } from '../support/route-walker.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SPECIFIED } from '../support/specified-endpoints.js';
import { TestCompany } from '../support/test-company.js';

const CORE_KEY = 'key-of-the-core-service';

/** Routes of users that name a company, and require no membership of it. */
const BY_ROLE = ['GET /internal/users/{id}/access', 'POST /internal/roles/{key}/preview'];
/** Who leaves a company needs nothing of it. */
const LEAVES = ['DELETE /auth/me/memberships/{companyId}'];
/** Routes that resolve the access itself, so that every session needs an answer of the core service. */
const RESOLVES_ACCESS = [
  'GET /auth/me/access',
  'GET /internal/companies/{companyId}',
  'GET /internal/companies/{companyId}/users/{userId}/access',
];

const namesCompany = ({ path, headers }: Route): boolean =>
  path.includes('{companyId}') || 'x-org' in headers.shape;

const COMPANY_ROUTES = allRoutes
  .filter((route) => route.caller.security.endsWith('bearer') && namesCompany(route))
  .filter((route) => ![...BY_ROLE, ...LEAVES].includes(nameOf(route)));

let core: CoreService;
let service: TestService;
let walker: RouteWalker;
let administrator: { id: string; token: string };
beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({ env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY } });
  walker = new RouteWalker(service);
  administrator = asSignedInByPassword(await walker.company.member({ role: 'TENANT_SUPERADMIN' }));
});
afterAll(async () => {
  await service.stop();
  await core.stop();
});
beforeEach(() => {
  core.fault = undefined;
  requireFactor(walker.company, true);
});

const requireFactor = ({ id }: TestCompany, requireSecondFactor: boolean): void =>
  core.set(id, { modules: ['billing'], requireSecondFactor });

/** Returns the same token with the level of two factors. */
function withTwoFactors(token: string): string {
  const { header, claims } = takeApart(token);
  return signRs256({ header, claims: { ...claims, acr: 'aal2' } });
}

/** Calls all routes of companies. Returns the code of each response, `ok` for a success. */
async function walk(token: string): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const route of COMPANY_ROUTES) {
    const { body, status } = await walker.call(route, token);
    outcomes[nameOf(route)] = status < 300 ? 'ok' : (body as { code: string }).code;
  }
  return outcomes;
}

const everywhere = (outcome: string): Record<string, string> =>
  Object.fromEntries(COMPANY_ROUTES.map((route) => [nameOf(route), outcome]));

describe('a company that requires a second factor', () => {
  it('every route that names a company is 403 second_factor_required for an administrator with one factor', async () => {
    expect(COMPANY_ROUTES.length).toBeGreaterThan(13);
    const before = await walker.company.audit();
    expect(await walk(administrator.token)).toEqual(everywhere('second_factor_required'));
    expect(await walker.company.audit(), 'a refusal changes nothing').toEqual(before);
  });

  it('every route that names a company works with two factors, and in a company without the requirement', async () => {
    expect(await walk(withTwoFactors(administrator.token))).toEqual(everywhere('ok'));
    requireFactor(walker.company, false);
    expect(await walk(administrator.token)).toEqual(everywhere('ok'));
  });

  it('a delegate with one factor neither sees nor makes invitations', async () => {
    const delegate = await walker.company.member();
    await service.sql(
      `INSERT INTO membership_delegations (membership_id, can_manage_users, grantable_modules)
       SELECT id, true, '{billing}' FROM company_memberships WHERE user_id = $1`,
      [delegate.id],
    );
    const headers = { 'x-org': walker.company.id };
    const asked = [
      await service.api('GET', '/auth/invitations', { token: delegate.token, headers }),
      await service.api('POST', '/auth/invitations', {
        token: delegate.token,
        headers,
        body: { email: 'guest@example.com', moduleGrants: ['billing'] },
      }),
    ];
    expect(asked.map(({ code }) => code)).toEqual(Array(2).fill('second_factor_required'));
  });

  it('an invitation is shown to an inviter with one factor neither with nor without x-org', async () => {
    const id = await insertInvitation(service.sql, { companyId: walker.company.id });
    for (const headers of [{ 'x-org': walker.company.id }, {}]) {
      const answer = await service.api('GET', `/auth/invitations/${id}`, {
        token: administrator.token,
        headers,
      });
      expect(answer).toMatchObject({ status: 403, code: 'second_factor_required' });
    }
  });

  it('a user without a membership is refused as before, and the core service is not asked', async () => {
    const stranger = await signedInUser(service);
    const calls = core.calls;
    const outcomes = await walk(stranger.token);
    const specified = SPECIFIED.map(([, method, path]) => `${method} ${path}`);
    const refused = specified.filter((name) => name in outcomes && name !== 'GET /auth/invitations/{id}');
    expect(outcomes).toEqual({
      ...everywhere('not_found'),
      ...Object.fromEntries(refused.map((name) => [name, 'forbidden'])),
    });
    expect(core.calls).toBe(calls);
  });

  it('platform staff administer it by their role, and machines by their key', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const { company } = walker;
    expect((await company.bearer(staff.token, 'GET', '/users')).status).toBe(200);
    const invited = await service.api('GET', '/auth/invitations', {
      token: staff.token,
      headers: { 'x-org': company.id },
    });
    expect(invited.status, invited.text).toBe(200);
    expect((await company.machine('GET', '/users')).status).toBe(200);
  });

  it('a moderator lists its members by their role, and changes them by a membership with two factors only', async () => {
    const { company } = walker;
    const moderator = await company.member({ role: 'ADMIN', user: { role: 'PLATFORM_MODERATOR' } });
    const { id: userId } = await service.createUser();
    expect((await company.bearer(moderator.token, 'GET', '/users')).status).toBe(200);
    const written = await company.bearer(moderator.token, 'POST', '/memberships', { userId });
    expect(written).toMatchObject({ status: 403, code: 'second_factor_required' });
  });

  it('the invited user reads their own invitation with one factor', async () => {
    const guest = await signedInUser(service);
    const id = await insertInvitation(service.sql, { companyId: walker.company.id, email: guest.email });
    const answer = await service.api('GET', `/auth/invitations/${id}`, { token: guest.token });
    expect(answer.status, answer.text).toBe(200);
  });

  it('direct calls of the use cases are refused like requests', async () => {
    const { auth } = service;
    const caller = await auth.authenticator.authenticateWithMemberships(administrator.token);
    const { id: companyId } = walker.company;
    const required = { code: 'second_factor_required' };
    await expect(auth.invitations.list(caller, companyId)).rejects.toMatchObject(required);
    await expect(
      auth.invitations.create(caller, companyId, { email: 'a@example.com' }),
    ).rejects.toMatchObject(required);
    await expect(auth.handoff.create(caller, companyId)).rejects.toMatchObject(required);
    await expect(auth.access.assertLevel(caller, companyId)).rejects.toMatchObject(required);
    await expect(auth.access.assertLevel({}, companyId)).rejects.toMatchObject(required);
  });
});

describe('a company whose requirement cannot be known', () => {
  it.each([
    ['is broken', { kind: 'status', status: 500 } as const],
    ['returns nonsense', { kind: 'text', text: '{"modules":[],"requireSecondFactor":"no"}' } as const],
  ])(
    'every route that names a company is 503 for one factor while the core service %s',
    async (_what, fault) => {
      core.fault = fault;
      expect(await walk(administrator.token)).toEqual(everywhere('service_unavailable'));
    },
  );

  it('two factors meet every requirement, so only what shows entitlements needs the core service', async () => {
    core.fault = { kind: 'status', status: 500 };
    const unavailable = Object.fromEntries(RESOLVES_ACCESS.map((name) => [name, 'service_unavailable']));
    expect(await walk(withTwoFactors(administrator.token))).toEqual({ ...everywhere('ok'), ...unavailable });
  });

  it('a company that the core service does not know requires nothing', async () => {
    const company = new TestCompany(service);
    const { token } = await company.member({ role: 'ADMIN' });
    expect((await company.bearer(token, 'GET', '/users')).status).toBe(200);
    const access = await service.api('GET', '/auth/me/access', { token, headers: { 'x-org': company.id } });
    expect(access).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('no company requires anything where no core service is configured', async () => {
    const alone = await serviceForThisTest();
    const company = new TestCompany(alone);
    const { token } = await company.member({ role: 'ADMIN' });
    expect((await company.bearer(token, 'GET', '/users')).status).toBe(200);
  });
});

describe('the look-ups of requirements', () => {
  it('requests at the same time share one call', async () => {
    core.fault = { kind: 'slow', seconds: 0.3 };
    const calls = core.calls;
    const { token } = await mintTokens(service, administrator.id);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => walker.company.bearer(token, 'GET', '/users')),
    );
    expect(answers.map(({ code }) => code)).toEqual(Array(5).fill('second_factor_required'));
    expect(core.calls - calls).toBeLessThan(5);
  });

  it('ENTITLEMENTS_CACHE_TTL keeps the answer for requirements, too', async () => {
    const env = { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY, ENTITLEMENTS_CACHE_TTL: '30' };
    const caching = await serviceForThisTest({ env });
    const company = new TestCompany(caching);
    requireFactor(company, true);
    const { token } = await company.member({ role: 'ADMIN' });
    const calls = core.calls;
    await company.bearer(token, 'GET', '/users');
    core.fault = { kind: 'status', status: 500 };
    expect((await company.bearer(token, 'GET', '/users')).code).toBe('second_factor_required');
    expect(core.calls - calls).toBe(1);
  });
});
