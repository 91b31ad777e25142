/** The credentials that a caller shows, by the specification's tables. */
export type RouteAccess = 'public' | 'bearer' | 'internal-bearer' | 'machine';

/** `[access, method, path]`. */
export type Endpoint = readonly [RouteAccess, 'GET' | 'POST' | 'PATCH' | 'DELETE', string];

const COMPANY = '{companyId}';
const UNIT = '{companyId}/business-units/{businessUnitId}';

/** Every row of the specification's endpoint tables, in their order. A path in two tables is two rows. */
export const SPECIFIED: readonly Endpoint[] = [
  ['public', 'GET', '/health'],
  ['public', 'GET', '/ready'],
  ['public', 'GET', '/.well-known/jwks.json'],

  ['public', 'POST', '/auth/register'],
  ['public', 'POST', '/auth/login'],
  ['public', 'POST', '/auth/refresh'],
  ['public', 'POST', '/auth/logout'],
  ['public', 'POST', '/auth/password-reset/request'],
  ['public', 'POST', '/auth/password-reset/confirm'],
  ['public', 'POST', '/auth/handoff/exchange'],
  ['public', 'POST', '/auth/passkeys/login/options'],
  ['public', 'POST', '/auth/passkeys/login/verify'],
  ['public', 'GET', '/auth/invitations/preview'],
  ['public', 'POST', '/auth/invitations/accept'],
  ['public', 'POST', '/auth/service-token'],

  ['bearer', 'POST', '/auth/logout-all'],
  ['bearer', 'GET', '/auth/me'],
  ['bearer', 'PATCH', '/auth/me'],
  ['bearer', 'GET', '/auth/me/access'],
  ['bearer', 'POST', '/auth/handoff/create'],
  ['bearer', 'POST', '/auth/passkeys/register/options'],
  ['bearer', 'POST', '/auth/passkeys/register/verify'],
  ['bearer', 'GET', '/auth/passkeys'],
  ['bearer', 'PATCH', '/auth/passkeys/{id}'],
  ['bearer', 'DELETE', '/auth/passkeys/{id}'],
  ['bearer', 'POST', '/auth/invitations'],
  ['bearer', 'GET', '/auth/invitations'],
  ['bearer', 'GET', '/auth/invitations/{id}'],
  ['bearer', 'POST', '/auth/invitations/{id}/resend'],
  ['bearer', 'DELETE', '/auth/invitations/{id}'],

  ['internal-bearer', 'GET', '/internal/users'],
  ['internal-bearer', 'POST', '/internal/users'],
  ['internal-bearer', 'GET', '/internal/users/{id}'],
  ['internal-bearer', 'PATCH', '/internal/users/{id}'],
  ['internal-bearer', 'DELETE', '/internal/users/{id}'],
  ['internal-bearer', 'GET', '/internal/users/{id}/context'],
  ['internal-bearer', 'POST', '/internal/users/{id}/revoke-all'],
  ['internal-bearer', 'GET', `/internal/companies/${COMPANY}/users`],
  ['internal-bearer', 'POST', `/internal/companies/${COMPANY}/memberships`],
  ['internal-bearer', 'GET', `/internal/companies/${UNIT}/users`],
  ['internal-bearer', 'POST', `/internal/companies/${UNIT}/memberships`],
  ['internal-bearer', 'POST', '/internal/sessions/{id}/revoke'],
  ['internal-bearer', 'GET', '/internal/companies/resolve'],
  // The finance routes for people, whose paths mirror the machine routes.
  ['internal-bearer', 'PATCH', `/internal/companies/${UNIT}/finance-memberships/{userId}`],
  ['internal-bearer', 'PATCH', `/internal/companies/${COMPANY}/finance-memberships/{userId}`],
  ['internal-bearer', 'PATCH', `/internal/companies/${COMPANY}/company-approval-limit/{userId}`],

  ['machine', 'GET', '/internal/admin/users'],
  ['machine', 'POST', '/internal/admin/users'],
  ['machine', 'GET', '/internal/admin/users/{id}'],
  ['machine', 'PATCH', '/internal/admin/users/{id}'],
  ['machine', 'DELETE', '/internal/admin/users/{id}'],
  ['machine', 'GET', '/internal/admin/users/{id}/context'],
  ['machine', 'POST', '/internal/admin/users/{id}/revoke-all'],
  ['machine', 'GET', '/internal/admin/users/{id}/sessions'],
  ['machine', 'POST', '/internal/admin/users/{id}/sessions'],
  ['machine', 'GET', `/internal/admin/companies/${COMPANY}/users`],
  ['machine', 'GET', `/internal/admin/companies/${COMPANY}/memberships`],
  ['machine', 'POST', `/internal/admin/companies/${COMPANY}/memberships`],
  ['machine', 'GET', `/internal/admin/companies/${UNIT}/users`],
  ['machine', 'POST', `/internal/admin/companies/${UNIT}/memberships`],
  ['machine', 'PATCH', `/internal/admin/companies/${UNIT}/finance-memberships/{userId}`],
  ['machine', 'PATCH', `/internal/admin/companies/${COMPANY}/finance-memberships/{userId}`],
  ['machine', 'PATCH', `/internal/admin/companies/${COMPANY}/company-approval-limit/{userId}`],
  ['machine', 'GET', '/internal/admin/sessions'],
  ['machine', 'GET', '/internal/admin/session-stats'],
  ['machine', 'GET', `/internal/admin/companies/${COMPANY}/sessions`],
  ['machine', 'GET', '/internal/admin/passkey-metrics'],
  ['machine', 'POST', '/internal/sessions/{id}/revoke'],
  ['machine', 'POST', '/internal/users/{id}/revoke-all'],
  ['machine', 'GET', '/internal/companies/resolve'],
  ['machine', 'GET', '/internal/users/{id}/context'],
];

/** Endpoints that go beyond the specification. */
export const BEYOND: readonly Endpoint[] = [
  ['public', 'POST', '/auth/email/verify'],
  ['public', 'POST', '/auth/email/verify/resend'],
  ['public', 'POST', '/auth/email/verify/reject'],
  ['bearer', 'POST', '/auth/email/change'],
  ['public', 'POST', '/auth/email/change/confirm'],
  ['public', 'POST', '/auth/email/change/undo'],
  ['public', 'POST', '/auth/login/second-factor'],
  ['public', 'POST', '/auth/login/second-factor/enrol'],
  ['public', 'POST', '/auth/login/second-factor/enrol/confirm'],
  ['bearer', 'GET', '/auth/factors'],
  ['bearer', 'POST', '/auth/factors/totp'],
  ['bearer', 'POST', '/auth/factors/totp/{id}/confirm'],
  ['bearer', 'POST', '/auth/factors/recovery-codes'],
  ['bearer', 'DELETE', '/auth/factors/{id}'],
  ['internal-bearer', 'DELETE', '/internal/users/{id}/factors'],
  ['machine', 'DELETE', '/internal/admin/users/{id}/factors'],
  ['bearer', 'GET', '/auth/me/export'],
  ['internal-bearer', 'DELETE', '/internal/users/{id}/personal-data'],
  ['machine', 'DELETE', '/internal/admin/users/{id}/personal-data'],
  ['bearer', 'GET', '/auth/sessions'],
  ['bearer', 'DELETE', '/auth/sessions/{id}'],
  ['bearer', 'POST', '/auth/logout-others'],
  ['bearer', 'POST', '/auth/password/change'],
  ['bearer', 'POST', '/auth/step-up'],
  ['bearer', 'POST', '/auth/step-up/options'],
  ['machine', 'GET', '/internal/revocations'],
  ['machine', 'GET', '/internal/admin/audit-logs'],
  ['machine', 'GET', '/internal/admin/users/{id}/access'],
];

/** Rows of `SPECIFIED` that are still to be built, as `METHOD path`. A route that is built leaves this list. */
export const PENDING: readonly string[] = [];
