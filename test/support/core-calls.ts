import type {
  AcceptInvitationInput,
  Administrator,
  Auth,
  AuthenticationResponse,
  BusinessUnitFinanceInput,
  BusinessUnitMembershipInput,
  ChangePasswordInput,
  CompanyApprovalLimitInput,
  CompanyFinanceInput,
  CompanyMembershipInput,
  CreateUser,
  FinanceActor,
  InvitationInput,
  LoginInput,
  PageInput,
  PasswordResetConfirm,
  PasswordResetRequest,
  Passkeys,
  ProfilePatch,
  RegisterInput,
  RegisterPasskeyInput,
  ServiceTokenInput,
  SignedInMember,
  UserPatch,
  VerifyEmailInput,
} from '@latchkey/core';

/** What a request says, as it came: nothing of it has been checked. */
export interface RawInput<Body> {
  /** Who is signed in. */
  caller: SignedInMember;
  /** Who administers: that person on routes for people, else a machine. */
  administrator: Administrator;
  /** For whom a finance route writes. */
  actor: FinanceActor;
  /** Of the header `x-org`. */
  company: string;
  /** The parameters of the path. */
  path: Record<PathParameter, string>;
  page: PageInput;
  /** What else the query asks for. */
  query: { token: string; raw: string };
  body: Body;
}

export type PathParameter = 'id' | 'companyId' | 'businessUnitId' | 'userId';

/** The use case behind a route, asked for directly: the input goes in as it is, and no client is named. */
export type CoreCall = (auth: Auth, input: RawInput<never>) => unknown;

/** Holds a call against the types of the library: `Body` is what it documents as its input. */
const calling = <Body = undefined>(work: (auth: Auth, input: RawInput<Body>) => unknown): CoreCall => work;

function passkeysOf({ passkeys }: Auth): Passkeys {
  if (!passkeys) throw new TypeError('the service of this test needs passkeys');
  return passkeys;
}

const management = (users: string, companies: string): Record<string, CoreCall> => ({
  [`GET ${users}`]: calling((auth, { page }) => auth.users.list({}, page)),
  [`POST ${users}`]: calling<CreateUser>((auth, { administrator, body }) =>
    auth.userAdministration.create(administrator, body),
  ),
  [`GET ${users}/{id}`]: calling((auth, { path }) => auth.users.get(path.id)),
  [`PATCH ${users}/{id}`]: calling<UserPatch>((auth, { administrator, path, body }) =>
    auth.userAdministration.patch(administrator, path.id, body),
  ),
  [`DELETE ${users}/{id}`]: calling((auth, { administrator, path }) =>
    auth.userAdministration.deactivate(administrator, path.id),
  ),
  [`GET ${users}/{id}/context`]: calling((auth, { path }) => auth.users.context(path.id)),
  [`POST ${users}/{id}/revoke-all`]: calling((auth, { administrator, path }) =>
    auth.sessionAdministration.revokeAll(administrator, path.id),
  ),
  [`GET ${companies}/users`]: calling((auth, { path, page }) =>
    auth.members.companyUsers(path.companyId, page),
  ),
  [`POST ${companies}/memberships`]: calling<CompanyMembershipInput>((auth, { administrator, path, body }) =>
    auth.memberships.upsertCompany(administrator, path.companyId, body),
  ),
  [`GET ${companies}/business-units/{businessUnitId}/users`]: calling((auth, { path, page }) =>
    auth.members.businessUnitUsers(path, page),
  ),
  [`POST ${companies}/business-units/{businessUnitId}/memberships`]: calling<BusinessUnitMembershipInput>(
    (auth, { administrator, path, body }) => auth.memberships.upsertBusinessUnit(administrator, path, body),
  ),
  [`PATCH ${companies}/business-units/{businessUnitId}/finance-memberships/{userId}`]:
    calling<BusinessUnitFinanceInput>((auth, { actor, path, body }) =>
      auth.financeWorkflow.patchBusinessUnit(actor, path, body),
    ),
  [`PATCH ${companies}/finance-memberships/{userId}`]: calling<CompanyFinanceInput>(
    (auth, { actor, path, body }) => auth.financeWorkflow.patchCompany(actor, path, body),
  ),
  [`PATCH ${companies}/company-approval-limit/{userId}`]: calling<CompanyApprovalLimitInput>(
    (auth, { actor, path, body }) => auth.financeWorkflow.setApprovalLimit(actor, path, body),
  ),
});

/** Of every route, by `METHOD path`: how its use case is asked for without HTTP. */
export const CORE_CALLS: Readonly<Record<string, CoreCall>> = {
  'GET /health': calling(() => ({ status: 'ok' })),
  'GET /ready': calling((auth) => auth.health.ready()),
  'GET /.well-known/jwks.json': calling((auth) => auth.keys.toJwks()),

  'POST /auth/register': calling<RegisterInput>((auth, { body }) => auth.registration.register(body)),
  'POST /auth/login': calling<LoginInput>((auth, { body }) => auth.login.withPassword(body)),
  'POST /auth/refresh': calling<{ refreshToken: string }>((auth, { body }) =>
    auth.refresh.refresh(body.refreshToken),
  ),
  'POST /auth/logout': calling<{ refreshToken: string }>((auth, { body }) =>
    auth.sessions.logout(body.refreshToken),
  ),
  'POST /auth/password-reset/request': calling<PasswordResetRequest>((auth, { body }) =>
    auth.passwordReset.request(body),
  ),
  'POST /auth/password-reset/confirm': calling<PasswordResetConfirm>((auth, { body }) =>
    auth.passwordReset.confirm(body),
  ),
  'POST /auth/email/verify': calling<VerifyEmailInput>((auth, { body }) =>
    auth.emailVerification.verify(body),
  ),
  'POST /auth/handoff/create': calling((auth, { caller, company }) => auth.handoff.create(caller, company)),
  'POST /auth/handoff/exchange': calling<{ code: string }>((auth, { body }) =>
    auth.handoff.exchange(body.code),
  ),
  'POST /auth/service-token': calling<ServiceTokenInput>((auth, { body }) => auth.serviceTokens.issue(body)),

  'GET /auth/me': calling((auth, { caller }) => auth.users.ownProfile(caller)),
  'PATCH /auth/me': calling<ProfilePatch>((auth, { caller, body }) =>
    auth.profile.update(caller.userId, body),
  ),
  'GET /auth/me/access': calling((auth, { caller, company }) => auth.access.resolve(caller, company)),
  'POST /auth/password/change': calling<ChangePasswordInput>((auth, { caller, body }) =>
    auth.passwords.change(caller, body),
  ),
  'POST /auth/logout-all': calling((auth, { caller }) => auth.sessions.logoutAll(caller)),
  'POST /auth/logout-others': calling((auth, { caller }) => auth.sessions.logoutOthers(caller)),
  'GET /auth/sessions': calling((auth, { caller, page }) => auth.sessions.listOwn(caller, page)),
  'DELETE /auth/sessions/{id}': calling((auth, { caller, path }) => auth.sessions.revokeOwn(caller, path.id)),

  'POST /auth/invitations': calling<InvitationInput>((auth, { caller, company, body }) =>
    auth.invitations.create(caller, company, body),
  ),
  'GET /auth/invitations': calling((auth, { caller, company, page }) =>
    auth.invitations.list(caller, company, page),
  ),
  'GET /auth/invitations/preview': calling((auth, { query }) => auth.invitations.preview(query.token)),
  'POST /auth/invitations/accept': calling<AcceptInvitationInput>((auth, { body }) =>
    auth.invitationAcceptance.accept(body),
  ),
  'GET /auth/invitations/{id}': calling((auth, { caller, path, company }) =>
    auth.invitations.get(caller, path.id, company),
  ),
  'POST /auth/invitations/{id}/resend': calling((auth, { caller, path, company }) =>
    auth.invitations.resend(caller, company, path.id),
  ),
  'DELETE /auth/invitations/{id}': calling((auth, { caller, path, company }) =>
    auth.invitations.cancel(caller, company, path.id),
  ),

  'POST /auth/passkeys/register/options': calling<{ currentPassword: string }>((auth, { caller, body }) =>
    passkeysOf(auth).registration.options(caller, body.currentPassword),
  ),
  'POST /auth/passkeys/register/verify': calling<RegisterPasskeyInput>((auth, { caller, body }) =>
    passkeysOf(auth).registration.verify(caller, body),
  ),
  'POST /auth/passkeys/login/options': calling((auth) => passkeysOf(auth).login.options()),
  'POST /auth/passkeys/login/verify': calling<{ credential: AuthenticationResponse }>((auth, { body }) =>
    passkeysOf(auth).login.verify(body.credential),
  ),
  'GET /auth/passkeys': calling((auth, { caller, page }) => passkeysOf(auth).own.list(caller, page)),
  'PATCH /auth/passkeys/{id}': calling<{ name: string }>((auth, { caller, path, body }) =>
    passkeysOf(auth).own.rename(caller, path.id, body.name),
  ),
  'DELETE /auth/passkeys/{id}': calling((auth, { caller, path }) =>
    passkeysOf(auth).own.remove(caller, path.id),
  ),

  ...management('/internal/users', '/internal/companies/{companyId}'),
  ...management('/internal/admin/users', '/internal/admin/companies/{companyId}'),
  'GET /internal/companies/resolve': calling((auth, { query }) => auth.companies.resolve(query.raw)),
  'POST /internal/sessions/{id}/revoke': calling((auth, { administrator, path }) =>
    auth.sessionAdministration.revoke(administrator, path.id),
  ),

  'GET /internal/admin/users/{id}/access': calling((auth, { path, company }) =>
    auth.access.resolveOf(path.id, company),
  ),
  'GET /internal/admin/users/{id}/sessions': calling((auth, { path, page }) =>
    auth.sessionAdministration.listOfUser(path.id, page),
  ),
  'POST /internal/admin/users/{id}/sessions': calling((auth, { administrator, path }) =>
    auth.sessionMinting.mint(administrator, path.id),
  ),
  'GET /internal/admin/sessions': calling((auth, { page }) => auth.sessionAdministration.list({}, page)),
  'GET /internal/admin/session-stats': calling((auth) => auth.sessionAdministration.stats()),
  'GET /internal/admin/companies/{companyId}/memberships': calling((auth, { path, page }) =>
    auth.members.companyMembers(path.companyId, page),
  ),
  'GET /internal/admin/companies/{companyId}/sessions': calling((auth, { path: { companyId }, page }) =>
    auth.sessionAdministration.list({ companyId }, page),
  ),
  'GET /internal/admin/passkey-metrics': calling((auth) => auth.passkeyMetrics.read()),
  'GET /internal/admin/audit-logs': calling((auth, { page: { limit } }) => auth.auditLog.list({}, { limit })),
};
