import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import {
  mayEdit,
  mayGive,
  mayIn,
  type CompanyAction,
  type Authority,
} from '../../packages/pages/src/browser/company/rights.js';
import type { Role } from '../../packages/pages/src/browser/console/rights.js';
import type { Answer } from '../support/api-client.js';
import { asSignedInByPassword, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const PLATFORM_ROLES: readonly Role[] = [
  'NONE',
  'PLATFORM_MODERATOR',
  'PLATFORM_ADMIN',
  'PLATFORM_SUPERADMIN',
];
const COMPANY_ROLES = ['none', 'MEMBER', 'delegate', 'ADMIN', 'TENANT_SUPERADMIN'] as const;
type Place = (typeof COMPANY_ROLES)[number];

/** Everyone who may open the page of a company: a platform role with each place in the company. */
const CASES = PLATFORM_ROLES.flatMap((globalRole) =>
  COMPANY_ROLES.map((place) => [globalRole, place] as const),
);

type Call = readonly [method: string, path: string, body?: object];

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NO_COMPANY = AuthError.notFound('The company').message;
const DEFINITION = { name: 'Reader', modules: [], permissions: [] };

/** What the page sends for each right, below the company; paths that begin with `/auth` have it in `x-org`. */
const CALLS: Record<CompanyAction, readonly Call[]> = {
  read: [
    ['GET', ''],
    ['GET', '/users?limit=1'],
    ['GET', '/roles'],
    ['GET', `/users/${UNKNOWN}/access`],
  ],
  invite: [['GET', '/auth/invitations?limit=1']],
  manage: [
    ['GET', '/audit-logs?limit=1'],
    ['GET', '/audit-logs?limit=1&tail=true'],
    ['POST', '/roles/READER/preview', DEFINITION],
    ['PUT', '/roles/READER', DEFINITION],
    ['DELETE', '/roles/UNKNOWN'],
    ['POST', '/memberships', { userId: UNKNOWN }],
    ['PATCH', `/finance-memberships/${UNKNOWN}`, { approvalLimit: '5' }],
    ['GET', '/webhooks'],
    ['DELETE', `/webhooks/${UNKNOWN}`],
  ],
};

describe('the rights that the page of a company knows', () => {
  let service: TestService;
  let company: TestCompany;
  const actors = new Map<string, SignedInTestUser>();
  beforeAll(async () => {
    service = await startTestService({ env: { WEBHOOKS: 'all', API_KEYS: 'all' } });
    company = new TestCompany(service);
    for (const [globalRole, place] of CASES)
      actors.set(`${globalRole} ${place}`, await actor(globalRole, place));
  });
  afterAll(() => service.stop());

  async function actor(globalRole: Role, place: Place): Promise<SignedInTestUser> {
    const user = asSignedInByPassword(await signedInUser(service, { role: globalRole }));
    if (place === 'none') return user;
    await company.join(user.id, { role: place === 'delegate' ? 'MEMBER' : place });
    if (place === 'delegate') {
      await service.sql(
        `INSERT INTO membership_delegations (membership_id, can_manage_users, grantable_modules)
         SELECT id, true, '{billing}' FROM company_memberships WHERE user_id = $1`,
        [user.id],
      );
    }
    return user;
  }

  const authority = (globalRole: Role, place: Place): Authority => ({
    userId: actors.get(`${globalRole} ${place}`)?.id ?? '',
    globalRole,
    role: place === 'none' ? undefined : place === 'delegate' ? 'MEMBER' : place,
    isDelegate: place === 'delegate',
  });

  function send(globalRole: Role, place: Place, [method, path, body]: Call): Promise<Answer> {
    const token = actors.get(`${globalRole} ${place}`)?.token;
    if (!path.startsWith('/auth')) return company.bearer(token, method, path, body);
    return service.api(method, path, { token, headers: { 'x-org': company.id }, ...(body && { body }) });
  }

  /** Users outside of the company may get 404. Any other failure, such as 503, comes after the decision about the right. */
  const isRefused = async (...sent: Parameters<typeof send>): Promise<boolean> => {
    const { status, message } = await send(...sent);
    return status === 403 || (status === 404 && message === NO_COMPANY);
  };

  it.each(CASES)(
    'the service opens the routes of each view to %s and %s as the page does',
    async (role, place) => {
      for (const [action, calls] of Object.entries(CALLS) as [CompanyAction, Call[]][])
        for (const call of calls)
          expect(await isRefused(role, place, call), `${call[0]} ${call[1]}`).toBe(
            !mayIn(authority(role, place), action),
          );
    },
  );

  it.each(CASES)('the page shows API keys to %s and %s only if the service does', async (role, place) => {
    if (!mayIn(authority(role, place), 'manage')) return;
    expect(await isRefused(role, place, ['GET', '/api-keys'])).toBe(false);
  });

  it.each(CASES)('the service lets %s and %s change the same members as the page', async (role, place) => {
    if (!mayIn(authority(role, place), 'manage')) return;
    for (const memberRole of ['MEMBER', 'ADMIN', 'TENANT_SUPERADMIN']) {
      for (const globalRole of PLATFORM_ROLES) {
        const { id } = await service.createUser({ role: globalRole });
        await company.join(id, { role: memberRole });
        const call: Call = ['POST', '/memberships', { userId: id, moduleGrants: ['billing'] }];
        const isAllowed = mayEdit(authority(role, place), { id, globalRole, role: memberRole });
        expect(await isRefused(role, place, call), `${memberRole}, ${globalRole}`).toBe(!isAllowed);
        const end: Call = ['POST', '/memberships', { userId: id, isActive: false }];
        expect(await isRefused(role, place, end), `end of ${memberRole}, ${globalRole}`).toBe(!isAllowed);
      }
    }
    const own = authority(role, place);
    if (own.role !== undefined) {
      expect(mayEdit(own, { id: own.userId, globalRole: role, role: own.role })).toBe(false);
      expect(
        await isRefused(role, place, ['POST', '/memberships', { userId: own.userId, role: 'READER' }]),
      ).toBe(true);
    }
  });

  it.each(CASES)('the service lets %s and %s invite with the same roles as the page', async (role, place) => {
    if (!mayIn(authority(role, place), 'invite')) return;
    for (const given of ['MEMBER', 'READER', 'ADMIN', 'TENANT_SUPERADMIN']) {
      const email = `${given}-${role}-${place}@example.com`.toLowerCase();
      const call: Call = ['POST', '/auth/invitations', { email, role: given, moduleGrants: ['billing'] }];
      expect(await isRefused(role, place, call), given).toBe(!mayGive(authority(role, place), given));
    }
  });
});
