export { createAuth, type CreateAuthOptions } from './compose/create-auth.js';
export type { Auth, AuthFacts, Passkeys } from './compose/auth.js';
export { createAdministration, type CreateAdministrationOptions } from './compose/create-administration.js';
export type { Administration, AdministrationServices } from './compose/administration.js';
export { openMigrations, type Migrations } from './compose/open-migrations.js';

export { AuthError, type AuthErrorOptions } from './kernel/auth-error.js';
export { ERROR_CODES, type ErrorCode } from './kernel/error-code.js';
export { actorLabel, type Actor } from './kernel/actor.js';
export { unknownClient, type ClientInfo } from './kernel/client-info.js';
export { isUuid } from './kernel/id.js';
export { silentLogger, type Logger } from './kernel/logger.js';
export type { CursorPage, CursorRequest } from './kernel/cursor-page.js';
export type { Page, PageRequest } from './kernel/page.js';
export { findUncleanText, isCleanText } from './kernel/text.js';

export { describeSettings, type SettingDescription } from './settings/describe-settings.js';
export type { SettingSource } from './settings/environment.js';
export { readSettings } from './settings/read-settings.js';
export { SettingsError, type SettingFault } from './settings/setting-fault.js';
export type { Settings } from './settings/settings.js';

export { Database, type DatabaseOptions } from './storage/database.js';
export {
  MigrationError,
  Migrator,
  PendingMigrationsError,
  type MigrationResult,
  type MigrationStatus,
} from './storage/migrator.js';
export { resolveMigrationsDirectory } from './storage/resolve-migrations-path.js';

export { readRsaKey, type PublicJwk } from './tokens/signing-key.js';

export {
  passkeyCreationOptions,
  passkeyLoginInput,
  passkeyOptionsInput,
  passkeyPatchInput,
  passkeyRequestOptions,
  passkeyView,
  registerPasskeyInput,
  type AuthenticationResponse,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type PasskeyView,
  type RegisterPasskeyInput,
  type RegistrationResponse,
} from './passkeys/passkey-schema.js';
export {
  PASSKEY_OPERATIONS,
  passkeyMetricsView,
  type PasskeyMetricsView,
  type PasskeyOperation,
} from './passkeys/passkey-metrics.js';
export type { AuditEvent, AuditEventName } from './audit/audit-event.js';
export type { Readiness } from './health/health-service.js';
export type { AccessService, ModuleCandidate } from './access/access-service.js';
export type { AccessSubject } from './access/access-resolution.js';
export type { EntitlementsFunction } from './access/entitlements.static.js';
export type { ShadowCounts } from './access/shadow-comparison.js';
export type { Administrator } from './admin/administrator.js';
export type { Principal, SignedInMember, SignedInUser } from './sessions/session.js';
export { mayAct, type UserAction } from './users/authority.js';
export { canonicalEmail } from './users/email.js';
export {
  APPROVAL_STATUSES,
  AUTH_PROVIDERS,
  GLOBAL_ROLES,
  type ApprovalStatus,
  type GlobalRole,
} from './users/user.js';

export { auditEntryView, auditFilter, type AuditEntryView, type AuditFilter } from './audit/audit-schema.js';
export {
  exchangeHandoffInput,
  handoffCode,
  handoffTokens,
  type HandoffCode,
  type HandoffTokens,
} from './handoff/handoff-schema.js';
export {
  serviceTokenInput,
  serviceTokenView,
  type ServiceTokenInput,
  type ServiceTokenView,
} from './service-tokens/service-token-schema.js';
export {
  acceptedInvitation,
  acceptInvitationInput,
  invitationInput,
  invitationPreview,
  invitationTokenInput,
  invitationView,
  type AcceptedInvitation,
  type AcceptInvitationInput,
  type InvitationInput,
  type InvitationPreview,
  type InvitationView,
} from './invitations/invitation-schema.js';
export type { InboxMail, InboxMailer } from './mail/mailer.inbox.js';
export {
  passwordResetConfirmInput,
  passwordResetRequestInput,
  type PasswordResetConfirm,
  type PasswordResetRequest,
} from './password-reset/password-reset-schema.js';
export {
  accessView,
  explainedAccessView,
  type AccessView,
  type ExplainedAccessView,
} from './access/access-schema.js';
export { ownProfile, userContext, type OwnProfile, type UserContext } from './admin/admin-schema.js';
export {
  changePasswordInput,
  loginInput,
  registerInput,
  registration,
  type ChangePasswordInput,
  type LoginInput,
  type RegisterInput,
  type Registration,
} from './login/login-schema.js';
export {
  ownSessionView,
  refreshTokenInput,
  revokedCount,
  sessionStats,
  sessionView,
  statusOk,
  tokenPair,
  type OwnSessionView,
  type RevokedCount,
  type SessionStats,
  type SessionView,
  type StatusOk,
  type TokenPair,
} from './sessions/session-schema.js';
export {
  createUserInput,
  machineCreateUserInput,
  machineUserPatchInput,
  machineUserView,
  profilePatchInput,
  profileView,
  userFilter,
  userPatchInput,
  userView,
  type CreateUser,
  type MachineUserView,
  type ProfilePatch,
  type ProfileView,
  type UserFilter,
  type UserPatch,
  type UserView,
} from './users/user-schema.js';
export { companyQuery, resolvedCompany, type ResolvedCompany } from './companies/company-schema.js';
export { mayListCompany, mayManageCompany, type CompanyStanding } from './memberships/company-authority.js';
export type { FinanceActor } from './memberships/finance-workflow.js';
export type { CompanyMember } from './memberships/member.js';
export {
  businessUnitFinanceInput,
  businessUnitMembershipInput,
  companyApprovalLimitInput,
  companyFinanceInput,
  companyMembershipInput,
  keyInput,
  type BusinessUnitFinanceInput,
  type BusinessUnitMembershipInput,
  type CompanyApprovalLimitInput,
  type CompanyFinanceInput,
  type CompanyMembershipInput,
} from './memberships/membership-input.js';
export {
  businessUnitMembershipView,
  businessUnitUserView,
  companyMembershipView,
  companyUserView,
  memberView,
  type BusinessUnitMembershipView,
  type BusinessUnitUserView,
  type CompanyMembershipView,
  type CompanyUserView,
  type MemberView,
} from './memberships/membership-schema.js';
