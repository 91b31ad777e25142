export { createAuth, type CreateAuthOptions } from './compose/create-auth.js';
export type { Auth, AuthFacts, Passkeys } from './compose/auth.js';
export { createAdministration, type CreateAdministrationOptions } from './compose/create-administration.js';
export type {
  Administration,
  AdministrationServices,
  CompanyAdministration,
  Operations,
} from './compose/administration.js';
export { diagnose, type DiagnosisRequest } from './compose/diagnose.js';
export { sendTestMail } from './compose/send-test-mail.js';
export { openMigrations, type Migrations } from './compose/open-migrations.js';

export { checkGroups, type CheckGroup, type CheckStatus } from './diagnosis/check.js';
export type { CheckReport } from './diagnosis/diagnosis.js';

export { AuthError, type AuthErrorOptions } from './kernel/auth-error.js';
export { ERROR_CODES, type ErrorCode } from './kernel/error-code.js';
export { actorLabel, type Actor, type TrustedActor } from './kernel/actor.js';
export { unknownClient, type ClientInfo } from './kernel/client-info.js';
export { durationText } from './kernel/duration.js';
export { isUuid } from './kernel/id.js';
export { silentLogger, type Logger } from './kernel/logger.js';
export type { CursorPage, CursorRequest } from './kernel/cursor-page.js';
export type { Page, PageRequest } from './kernel/page.js';
export { findUncleanText, isCleanText } from './kernel/text.js';

export type { SettingLayers, SettingSource } from './settings/environment.js';
export {
  inspectSettings,
  type InspectedSetting,
  type InspectionRequest,
  type SettingsInspection,
} from './settings/inspect-settings.js';
export { developmentKeyFile } from './settings/development-key.js';
export { readGivenSettings, readSomeSettings } from './settings/read-some-settings.js';
export { readTokenSettings, type TokenTools } from './settings/read-token-settings.js';
export { readSettings } from './settings/read-settings.js';
export { settingGroups, type SettingGroup } from './settings/setting-definition.js';
export { SettingsError, type SettingFault } from './settings/setting-fault.js';
export type { SettingWarning } from './settings/setting-warning.js';
export type { Settings } from './settings/settings.js';

export { Database, type DatabaseOptions } from './storage/database.js';
export {
  MigrationError,
  Migrator,
  PendingMigrationsError,
  type MigrationResult,
  type MigrationStatus,
} from './storage/migrator.js';
export { replaceSecretFile } from './files/secret-file.js';
export { resolveMigrationsDirectory } from './storage/resolve-migrations-path.js';

export { generateSigningKey, type SigningKeyBits } from './tokens/generate-signing-key.js';
export type { KeyInspection } from './tokens/key-inspection.js';
export type { KeySet } from './tokens/key-set.js';
export type { PublishedKeys, PublicKeys } from './tokens/published-keys.js';
export type { PublicJwk, RsaKey } from './tokens/signing-key.js';
export type { TokenExpectation, VerifiedAccessToken } from './tokens/access-token-claims.js';
export type { TokenCheck } from './tokens/token-fault.js';
export type { DecodedToken, TokenVerdict } from './tokens/token-inspection.js';

export type { KeyRotation } from './key-rotation/key-rotation.js';
export type { NextStep, RotatingKeyView, RotationStatus } from './key-rotation/rotation-status.js';
export type { RotationLifetimes } from './key-rotation/rotation-times.js';

export {
  passkeyCreationOptions,
  passkeyLoginInput,
  passkeyOptionsInput,
  passkeyPatchInput,
  passkeyRequestOptions,
  passkeyView,
  registerPasskeyInput,
  type AuthenticationResponse,
  type OwnedPasskeyView,
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
export type { AccessReport, DelegationCase, KeyCase, ModuleCase } from './access/access-report.js';
export type { ModuleReason } from './access/effective-modules.js';
export type { AccessPolicyMode } from './access/entitlements.js';
export type { MemberPreviewView, PolicyPreviewView } from './access/policy-preview.js';
export type { EntitlementsFunction } from './access/entitlements.static.js';
export type { ShadowCounts } from './access/shadow-comparison.js';
export type { Administrator } from './admin/administrator.js';
export type { BootstrapOutcome, FirstSuperadmin } from './admin/bootstrap.js';
export type { Principal, SignedInMember, SignedInUser } from './sessions/session.js';
export { compareRoles, mayAct, type UserAction } from './users/authority.js';
export { canonicalEmail } from './users/email.js';
export {
  APPROVAL_STATUSES,
  AUTH_PROVIDERS,
  GLOBAL_ROLES,
  type ApprovalStatus,
  type GlobalRole,
} from './users/user.js';

export { auditEntryView, auditFilter, type AuditEntryView, type AuditFilter } from './audit/audit-schema.js';
export type { AuditTail } from './audit/audit-tail.js';
export {
  exchangeHandoffInput,
  handoffCode,
  handoffTokens,
  type HandoffCode,
  type HandoffTokens,
} from './handoff/handoff-schema.js';
export type { ServiceClient } from './service-tokens/service-client.js';
export { ServiceClientFile } from './service-tokens/service-client-file.js';
export { checkedClient, entryOf, type ServiceClientEntry } from './service-tokens/service-client-list.js';
export { newServiceSecret } from './service-tokens/service-secret.js';
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
export type { MailKind } from './mail/mail-kind.js';
export type { FailedMails, OutboxFilter } from './mail/outbox-list-repository.js';
export type { OutboxMailView, OutboxState } from './mail/outbox-mail.js';
export type { SmtpTestOutcome } from './mail/smtp-test.js';
export type {
  CleanupOrder,
  CleanupPlan,
  CleanupProgress,
  CleanupRequest,
  CleanupResult,
} from './maintenance/cleanup.js';
export type { RetentionKind } from './maintenance/retention.js';
export type { PasswordSet, PasswordToSet } from './password-reset/password-administration.js';
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
  type SessionDetailsView,
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
