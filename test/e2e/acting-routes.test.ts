import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import { mintActing } from '../support/acting.js';
import { FIXTURE_ENV } from '../support/body-fixtures.js';
import { nameOf } from '../support/route-request.js';
import { RouteWalker } from '../support/route-walker.js';
import { startTestService, type TestService } from '../support/service.js';

const COMPANY = '/internal/companies/{companyId}';

/** The writing routes of webhooks, below a company and below `/internal`. */
const WEBHOOK_WRITES = [
  'POST /webhooks',
  'PATCH /webhooks/{id}',
  'DELETE /webhooks/{id}',
  'POST /webhooks/{id}/rotate-secret',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/deliveries/{deliveryId}/retry',
  'POST /webhooks/{id}/replay',
];

/** Routes that a session in which an actor acts may not use: sign-in, rights, other sessions, and the export. */
const REFUSED = [
  'POST /auth/password/change',
  'POST /auth/email/change',
  'POST /auth/step-up',
  'POST /auth/step-up/options',
  'POST /auth/passkeys/register/options',
  'POST /auth/passkeys/register/verify',
  'PATCH /auth/passkeys/{id}',
  'DELETE /auth/passkeys/{id}',
  'POST /auth/factors/totp',
  'POST /auth/factors/totp/{id}/confirm',
  'DELETE /auth/factors/{id}',
  'POST /auth/factors/recovery-codes',
  'POST /auth/handoff/create',
  'POST /auth/logout-all',
  'POST /auth/logout-others',
  'GET /auth/me/export',
  'POST /auth/invitations',
  'POST /auth/invitations/accept',
  'POST /auth/invitations/{id}/resend',
  'DELETE /auth/invitations/{id}',
  `POST ${COMPANY}/memberships`,
  `POST ${COMPANY}/business-units/{businessUnitId}/memberships`,
  `PATCH ${COMPANY}/business-units/{businessUnitId}/finance-memberships/{userId}`,
  `PATCH ${COMPANY}/finance-memberships/{userId}`,
  `PATCH ${COMPANY}/company-approval-limit/{userId}`,
  'DELETE /auth/me',
  'DELETE /auth/me/memberships/{companyId}',
  `PUT ${COMPANY}/roles/{key}`,
  `DELETE ${COMPANY}/roles/{key}`,
  'PUT /internal/roles/{key}',
  'DELETE /internal/roles/{key}',
  'POST /internal/users',
  'DELETE /internal/users/{id}',
  'POST /internal/users/{id}/acting-codes',
  'DELETE /internal/users/{id}/factors',
  'DELETE /internal/users/{id}/passkeys/{passkeyId}',
  'DELETE /internal/users/{id}/personal-data',
  'DELETE /internal/users/{id}/trusted-devices',
  'DELETE /internal/users/{id}/picture',
  'DELETE /internal/users/{id}/api-keys/{keyId}',
  'POST /auth/external/link',
  'DELETE /auth/external/identities/{id}',
  'PUT /auth/me/picture',
  'DELETE /auth/me/picture',
  'DELETE /auth/trusted-devices',
  'DELETE /auth/trusted-devices/{id}',
  'POST /auth/api-keys',
  'PATCH /auth/api-keys/{id}',
  'POST /auth/api-keys/{id}/rotate',
  'DELETE /auth/api-keys/{id}',
  'POST /auth/api-keys/revoke-all',
  `POST ${COMPANY}/api-keys`,
  `PATCH ${COMPANY}/api-keys/{id}`,
  `POST ${COMPANY}/api-keys/{id}/rotate`,
  `DELETE ${COMPANY}/api-keys/{id}`,
  ...WEBHOOK_WRITES.map((write) => write.replace(' ', ` ${COMPANY}`)),
  ...WEBHOOK_WRITES.map((write) => write.replace(' ', ' /internal')),
];

/** Routes whose use case refuses some requests, by what they concern; `acting-limits.test.ts` has the cases. */
const PARTLY_REFUSED = [
  'DELETE /auth/sessions/{id}',
  'PATCH /internal/users/{id}',
  'POST /internal/sessions/{id}/revoke',
  'POST /internal/users/{id}/revoke-all',
];

/** Routes on which an actor has the rights of the user. */
const ALLOWED = [
  'GET /auth/me',
  'PATCH /auth/me',
  'GET /auth/me/access',
  'GET /auth/sessions',
  'GET /auth/factors',
  'GET /auth/passkeys',
  'GET /auth/trusted-devices',
  'GET /auth/external/identities',
  'GET /auth/api-keys',
  `GET ${COMPANY}/api-keys`,
  'GET /auth/invitations',
  'GET /auth/invitations/{id}',
  `GET ${COMPANY}`,
  `GET ${COMPANY}/audit-logs`,
  `GET ${COMPANY}/users`,
  `GET ${COMPANY}/users/{userId}/access`,
  `GET ${COMPANY}/business-units/{businessUnitId}/users`,
  `GET ${COMPANY}/roles`,
  `POST ${COMPANY}/roles/{key}/preview`,
  'GET /internal/roles',
  'POST /internal/roles/{key}/preview',
  'GET /internal/companies',
  'GET /internal/companies/resolve',
  'GET /internal/users',
  'GET /internal/users/{id}',
  'GET /internal/users/{id}/access',
  'GET /internal/users/{id}/api-keys',
  'GET /internal/users/{id}/context',
  'GET /internal/users/{id}/factors',
  'GET /internal/users/{id}/passkeys',
  'GET /internal/users/{id}/trusted-devices',
  'GET /internal/users/{id}/sessions',
  'POST /internal/users/{id}/email-verification',
  'POST /internal/users/{id}/password-reset',
  'GET /internal/sessions',
  'GET /internal/session-stats',
  'GET /internal/activity',
  'GET /internal/audit-logs',
  'GET /internal/invitations',
  'GET /internal/health',
  'GET /internal/mail',
  'POST /internal/mail/{id}/retry',
  `GET ${COMPANY}/webhooks`,
  `GET ${COMPANY}/webhooks/{id}/deliveries`,
  'GET /internal/webhooks',
  'GET /internal/webhooks/{id}/deliveries',
];

const takesUser = ({ caller }: Route): boolean => caller.security.endsWith('bearer');
/** Routes that a user may call with an access token, whether or not it is required. */
const USER_ROUTES = allRoutes.filter(
  (route) => takesUser(route) || route.path === '/auth/invitations/accept',
);

describe('the table of routes', () => {
  it('every route that a user may call is in one list: refused, partly refused or allowed while an actor acts', () => {
    const listed = [...REFUSED, ...PARTLY_REFUSED, ...ALLOWED].toSorted();
    expect(USER_ROUTES.map(nameOf).toSorted()).toEqual(listed);
  });

  it('the refused routes declare it, and no other route of users', () => {
    const declared = USER_ROUTES.filter(({ refusedWhileActing }) => refusedWhileActing).map(nameOf);
    expect(declared.toSorted()).toEqual(REFUSED.toSorted());
  });

  it('every route that requires a step-up of every request is refused, because an actor cannot step up', () => {
    const routes = USER_ROUTES.filter(({ stepUp }) => stepUp && stepUp.when === undefined);
    expect(routes.length).toBeGreaterThan(7);
    expect(routes.filter(({ refusedWhileActing }) => !refusedWhileActing).map(nameOf)).toEqual([]);
  });
});

describe('a session in which an actor acts for a superadmin of the platform and of a company', () => {
  let service: TestService;
  let walker: RouteWalker;
  let userId: string;
  let token: string;
  beforeAll(async () => {
    service = await startTestService({ env: FIXTURE_ENV });
    walker = new RouteWalker(service);
    ({ id: userId } = await service.createUser({ role: 'PLATFORM_SUPERADMIN' }));
    await walker.company.join(userId, { role: 'TENANT_SUPERADMIN' });
    ({ token } = await mintActing(service, userId));
  });
  afterAll(() => service.stop());

  const walk = async (names: readonly string[]): Promise<Record<string, unknown>> => {
    const reasons: Record<string, unknown> = {};
    for (const route of USER_ROUTES.filter((each) => names.includes(nameOf(each)))) {
      const { body } = await walker.call(route, token);
      const { code, reason } = body as { code?: string; reason?: string };
      reasons[nameOf(route)] = reason === 'not_while_acting' ? `${code} ${reason}` : 'passed';
    }
    return reasons;
  };

  const writtenBy = () =>
    service.sql(
      `SELECT event FROM auth_audit_logs WHERE actor_user_id = $1 AND event NOT IN ('access_denied', 'session_minted')`,
      [userId],
    );

  it('every refused route is 403 not_while_acting, and writes nothing', async () => {
    const refused = Object.fromEntries(REFUSED.map((name) => [name, 'forbidden not_while_acting']));
    expect(await walk(REFUSED)).toEqual(refused);
    expect(await writtenBy()).toEqual([]);
  });

  it('no allowed route is refused for the actor', async () => {
    expect(await walk(ALLOWED)).toEqual(Object.fromEntries(ALLOWED.map((name) => [name, 'passed'])));
  });
});
