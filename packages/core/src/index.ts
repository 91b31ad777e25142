// Entry point for applications that embed Latchkey. Schemas, keys and settings by themselves have entries of
// their own; operators' tools are the package `@latchkey/operations`.
export { createAuth } from './compose/create-auth.js';
export type { CreateAuthOptions } from './compose/create-auth-options.js';
export type { AuthExtensions } from './compose/extensions.js';
export type { Admin } from './compose/admin.js';
export type { ApiKeys, Auth, External, Factors, Passkeys } from './compose/auth.js';
export type { VerifyingAuth, VerifyOnlyOptions } from './compose/verifying-auth.js';
export { readSettings } from './settings/read-settings.js';
export { Secret } from './settings/secret.js';
export { SettingsError, type SettingFault } from './settings/setting-fault.js';
export type { Settings } from './settings/settings.js';

export { AuthError, type AuthErrorOptions, type SignInChallenge } from './kernel/auth-error.js';
export { ERROR_CODES, type ErrorCode } from './kernel/error-code.js';
export { ERROR_REASONS, type ErrorReason } from './kernel/error-reason.js';
export { FIELD_REASONS, type FieldFault, type FieldReason } from './kernel/field-fault.js';
export type { Actor, TrustedActor } from './kernel/actor.js';
export type { MachineScope } from './kernel/machine-scope.js';
export { assertNotActing, type ActingParty } from './kernel/acting-party.js';
export { unknownClient, type ClientInfo } from './kernel/client-info.js';
export { silentLogger, type Logger } from './kernel/logger.js';
export type { Tracer } from './kernel/tracer.js';
export { openTracer } from './tracing/open-tracer.js';
export type { CursorPage, CursorRequest } from './kernel/cursor-page.js';
export type { ListTotal, Page, PageRequest, SlicedPage } from './kernel/page.js';
export type { CursorInput, GrowingPageInput, PageInput } from './kernel/page-input.js';

export type {
  BeforeHooks,
  InvitationAttempt,
  LinkAttempt,
  LoginAttempt,
  RegistrationAttempt,
} from './hooks/before-hooks.js';
export type { ClaimsFunction, ClaimsSubject } from './sessions/claims-function.js';
export type { HolderFilter } from './access/access-service.js';
export type { AccessPolicyMode } from './access/entitlements.js';
export type { EntitlementsFunction } from './access/entitlements.static.js';
export { AUDIT_EVENTS, type AuditEventName } from './audit/audit-event.js';
export type { AuthEvent, AuthEventListener } from './audit/auth-event.js';
export type { OwnRows, OwnRowsFunction, OwnTransaction } from './audit/own-rows.js';
export type { Readiness } from './health/health-service.js';
export type { HealthReport } from './metrics/health-report-schema.js';
export type { MailKind } from './mail/mail-kind.js';
export type { MailData, MailToSend, OwnMail, RenderedMail } from './mail/own-mail.js';
export { MailRejectedError } from './mail/mailer.js';
export type { InboxMail, InboxMailer } from './mail/mailer.inbox.js';

export type { Administrator } from './admin/administrator.js';
export type { AuthenticatedKey, KeyForAccess } from './api-keys/api-key-authenticator.js';
export type { CompanyKeyManager } from './api-keys/company-api-keys.js';
export type {
  ApiKeyPrincipal,
  Principal,
  SessionPrincipal,
  SignedInMember,
  SignedInUser,
} from './sessions/session.js';
export { mayInvite } from './invitations/invitation.js';
export { compareRoles, mayAct, type UserAction } from './users/authority.js';
export { mayListCompany, mayManageCompany, type CompanyAuthority } from './memberships/company-authority.js';
export {
  APPROVAL_STATUSES,
  GLOBAL_ROLES,
  type ApprovalStatus,
  type GlobalRole,
  type User,
} from './users/user.js';

// Arguments and results of use cases. The schemas behind most of these types are in `@latchkey/core/schemas`.
export type { ApiKeyFilter, IdentifiedApiKey } from './api-keys/api-key-administration.js';
export type { AccessSubject } from './access/access-resolution.js';
export type { KeyHolder } from './access/key-access.js';
export type {
  AccessQuery,
  AccessView,
  CompanyDetailsView,
  ExplainedAccessView,
} from './access/access-schema.js';
export type { ActivityQuery, ActivityView } from './activity/activity-schema.js';
export type { MintSession } from './admin/mint-schema.js';
export type { UserContext } from './admin/admin-schema.js';
export type {
  ApiKeyInput,
  ApiKeyView,
  CompanyApiKeyInput,
  ExchangedApiKey,
  NewApiKeyView,
  PresentedApiKey,
  RevokedApiKeys,
  RotateApiKey,
  VerifiedApiKey,
  VerifyApiKey,
} from './api-keys/api-key-schema.js';
export type { AuditSlice } from './audit/audit-log.js';
export type { WebhookOwner } from './webhooks/webhook-service.js';
export type {
  ReplayWebhookInput,
  RotateWebhookSecretInput,
  WebhookDeliveryView,
  WebhookInput,
  WebhookPatchInput,
  WebhookView,
  WebhookWithSecret,
} from './webhooks/webhook-schema.js';
export type {
  AuditEntryView,
  AuditFilter,
  CompanyAuditEntryView,
  CompanyAuditFilter,
} from './audit/audit-schema.js';
export type { CompanyFilter, CompanyView, ResolvedCompany } from './companies/company-schema.js';
export type { ActFor, HandoffCode, HandoffTokens } from './handoff/handoff-schema.js';
export type {
  AcceptedInvitation,
  AcceptInvitationInput,
  InvitationFilter,
  InvitationInput,
  InvitationPreview,
  InvitationView,
} from './invitations/invitation-schema.js';
export type {
  ExternalConnections,
  ExternalIdentityView,
  FinishedExternal,
  FinishExternal,
  LinkExternal,
  StartedExternal,
  StartExternal,
} from './external-sign-in/external-schema.js';
export type {
  RequestedDeletion,
  SendUndo,
  UndoDeletion,
} from './account-deletion/account-deletion-schema.js';
export type { SecondFactorTokens } from './second-factor/second-factor-sign-in.js';
export type {
  ProfilePictureInput,
  ProfilePictureView,
  RemovePicture,
} from './profile-pictures/profile-picture-schema.js';
export type { PictureFile } from './profile-pictures/profile-picture-repository.js';
export type { RemovedTrustedDevices, TrustedDeviceView } from './trusted-devices/trusted-device-schema.js';
export type { FinishMailedSignIn, MailedSignInRequest } from './mailed-sign-in/mailed-sign-in-schema.js';
export type { AppSignIn, AppStepUp } from './app-sign-in/app-proof-schema.js';
export type { ChangePasswordInput, LoginInput, RegisterInput, Registration } from './login/login-schema.js';
export type {
  ListedRoleView,
  RemovedRoleView,
  RoleInput,
  RolePreviewInput,
  RolePreviewView,
  RoleRemovalInput,
  RoleView,
  SavedRoleView,
} from './company-roles/company-role-schema.js';
export type { RoleScope } from './company-roles/company-role-repository.js';
export type { RoleEditor } from './company-roles/role-service.js';
export type { CompanyMembershipKey, FinanceActor } from './memberships/finance-workflow.js';
export type { CompanyMember, MemberWithUnits } from './memberships/member.js';
export type { BusinessUnitMembershipKey } from './memberships/membership.js';
export type { LeavingMember } from './memberships/membership-service.js';
export type { MemberFilter } from './memberships/membership-directory.js';
export type {
  BusinessUnitFinanceInput,
  BusinessUnitMembershipInput,
  CompanyApprovalLimitInput,
  CompanyFinanceInput,
  CompanyMembershipInput,
  MemberFilterInput,
} from './memberships/membership-input.js';
export type {
  BusinessUnitMembershipView,
  BusinessUnitUserView,
  CompanyMembershipView,
  CompanyUserView,
  MemberView,
} from './memberships/membership-schema.js';
export type {
  BeginTotpInput,
  ConfirmAtSignInInput,
  ConfirmedFactor,
  EnrolAtSignInInput,
  FactorView,
  OwnFactors,
  RenewedRecoveryCodes,
  ResetFactors,
  SecondFactorInput,
  TotpEnrolment,
  UserFactors,
} from './factors/factor-schema.js';
export type { ErasedUser } from './erasure/erasure-schema.js';
export type { PersonalData } from './erasure/personal-data-schema.js';
export type { EnrolledTokens } from './second-factor/enrolled-tokens.js';
export type { AuthenticationLevel } from './tokens/authentication-level.js';
export type { PasskeyMetricsView } from './passkeys/passkey-metrics.js';
export type {
  AuthenticationResponse,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeyView,
  RegisterPasskeyInput,
  RegistrationResponse,
} from './passkeys/passkey-schema.js';
export type {
  EmailChangePreview,
  EmailChangeToken,
  RequestEmailChange,
} from './email-change/email-change-schema.js';
export type {
  RejectRegistration,
  ResendVerification,
  VerificationPreview,
  VerificationToken,
  VerifyEmailInput,
} from './email-verification/email-verification-schema.js';
export type { PasswordResetConfirm, PasswordResetRequest } from './password-reset/password-reset-schema.js';
export type {
  RevocationFeed,
  RevocationFollowing,
  RevocationListener,
  RevocationRequest,
} from './revocations/revocation-feed.js';
export type { RevocationEntry, RevocationPage } from './revocations/revocation.js';
export type { ServiceTokenInput, ServiceTokenView } from './service-tokens/service-token-schema.js';
export type { OwnProfile } from './sessions/own-profile-schema.js';
export type {
  OwnSessionView,
  RevokedCount,
  SessionFilter,
  SessionStats,
  SessionView,
  StatusOk,
  TokenPair,
} from './sessions/session-schema.js';
export type { SecondFactorRequired, SignInResult } from './sessions/sign-in-schema.js';
export type { RaisedToken, StepUpInput } from './step-up/step-up-schema.js';
export type {
  CreateUser,
  MachineUserView,
  ProfilePatch,
  ProfileView,
  UserFilter,
  UserPatch,
  UserView,
} from './users/user-schema.js';
