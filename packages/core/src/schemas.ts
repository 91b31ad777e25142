// Entry point with the schemas of inputs and results, for HTTP layers of your own: Express has one already.
export { checkInput, checkInputAlongside } from './kernel/check-input.js';
export { isUuid } from './kernel/id.js';
export { cursorInput, growingPageInput, pageInput } from './kernel/page-input.js';
export { findUncleanText, isCleanText } from './kernel/text.js';
export { uuidInput } from './kernel/uuid-input.js';

export { accessQuery, accessView, companyDetailsView, explainedAccessView } from './access/access-schema.js';
export {
  apiKeyInput,
  apiKeyPatchInput,
  apiKeyView,
  companyApiKeyIds,
  companyApiKeyInput,
  exchangedApiKey,
  newApiKey,
  presentedApiKey,
  revokedApiKeys,
  rotateApiKeyInput,
  verifiedApiKey,
  verifyApiKeyInput,
} from './api-keys/api-key-schema.js';
export { isNamedApiKey } from './api-key-records/api-key-text.js';
export { activityQuery, activityView } from './activity/activity-schema.js';
export { userContext } from './admin/admin-schema.js';
export {
  replayedWebhook,
  replayWebhookInput,
  rotateWebhookSecretInput,
  webhookDeliveryFilter,
  webhookDeliveryKeyInput,
  webhookDeliveryView,
  webhookInput,
  webhookKeyInput,
  webhookPatchInput,
  webhookView,
  webhookWithSecret,
} from './webhooks/webhook-schema.js';
export {
  auditEntryView,
  auditFilter,
  auditListInput,
  companyAuditEntryView,
  companyAuditListInput,
} from './audit/audit-schema.js';
export {
  companyRoleKeyInput,
  listedRole,
  removedRole,
  roleInput,
  rolePreview,
  rolePreviewInput,
  roleRemovalInput,
  savedRole,
} from './company-roles/company-role-schema.js';
export { companyFilter, companyQuery, companyView, resolvedCompany } from './companies/company-schema.js';
export { actForInput, exchangeHandoffInput, handoffCode, handoffTokens } from './handoff/handoff-schema.js';
export {
  acceptedInvitation,
  acceptInvitationInput,
  invitationFilter,
  invitationInput,
  invitationPreview,
  invitationTokenInput,
  invitationView,
} from './invitations/invitation-schema.js';
export { changePasswordInput, loginInput, registerInput, registration } from './login/login-schema.js';
export {
  businessUnitFinanceInput,
  businessUnitInput,
  businessUnitMembershipInput,
  businessUnitMembershipKeyInput,
  companyApprovalLimitInput,
  companyFinanceInput,
  companyMembershipInput,
  companyMembershipKeyInput,
  keyInput,
  MAX_PEOPLE,
  memberFilter,
  membershipRoleInput,
} from './memberships/membership-input.js';
export {
  businessUnitMembershipView,
  businessUnitUserView,
  companyMembershipView,
  companyUserView,
  memberView,
} from './memberships/membership-schema.js';
export {
  beginTotpInput,
  confirmAtSignInInput,
  confirmedFactor,
  confirmTotpInput,
  enrolAtSignInInput,
  factorView,
  ownFactors,
  renewedRecoveryCodes,
  resetFactors,
  resetFactorsInput,
  secondFactorInput,
  totpEnrolment,
  userFactors,
} from './factors/factor-schema.js';
export {
  requestedDeletion,
  sendUndoInput,
  undoDeletionInput,
} from './account-deletion/account-deletion-schema.js';
export { PICTURE_TYPES } from './profile-pictures/picture.js';
export {
  pictureIdInput,
  profilePictureInput,
  profilePictureView,
  removePictureInput,
} from './profile-pictures/profile-picture-schema.js';
export { removedTrustedDevices, trustedDeviceView } from './trusted-devices/trusted-device-schema.js';
export { finishMailedSignInInput, mailedSignInRequestInput } from './mailed-sign-in/mailed-sign-in-schema.js';
export { mintInput } from './admin/mint-schema.js';
export {
  backchannelLogoutInput,
  externalConnections,
  externalIdentityView,
  finishedExternal,
  finishExternalInput,
  linkExternalInput,
  startedExternal,
  startExternalInput,
} from './external-sign-in/external-schema.js';
export { erasedUser, eraseUserInput } from './erasure/erasure-schema.js';
export { EXPORT_MAX_AGE, personalData } from './erasure/personal-data-schema.js';
export { outboxFilter } from './mail/outbox-filter.js';
export { outboxMailView } from './mail/outbox-mail-schema.js';
export { healthReport } from './metrics/health-report-schema.js';
export { enrolledTokens } from './second-factor/enrolled-tokens.js';
export { passkeyMetricsView, type PasskeyOperation } from './passkeys/passkey-metrics.js';
export {
  passkeyCreationOptions,
  passkeyLoginInput,
  passkeyOptionsInput,
  passkeyPatchInput,
  passkeyRequestOptions,
  passkeyView,
  registerPasskeyInput,
} from './passkeys/passkey-schema.js';
export {
  emailChangePreview,
  emailChangeTokenInput,
  requestEmailChangeInput,
} from './email-change/email-change-schema.js';
export {
  rejectRegistrationInput,
  resendVerificationInput,
  verificationPreview,
  verificationTokenInput,
  verifyEmailInput,
} from './email-verification/email-verification-schema.js';
export {
  passwordResetConfirmInput,
  passwordResetRequestInput,
  passwordToSetInput,
} from './password-reset/password-reset-schema.js';
export {
  lastEventId,
  revocationEntry,
  revocationPage,
  revocationQuery,
} from './revocations/revocation-schema.js';
export { serviceTokenInput, serviceTokenView } from './service-tokens/service-token-schema.js';
export { ownProfile } from './sessions/own-profile-schema.js';
export {
  CREDENTIAL_MAX_AGE,
  ownSessionView,
  refreshTokenInput,
  revokedCount,
  sessionFilter,
  sessionStats,
  sessionView,
  statusOk,
  tokenPair,
} from './sessions/session-schema.js';
export { secondFactorRequired, signInResult } from './sessions/sign-in-schema.js';
export { raisedToken, stepUpInput } from './step-up/step-up-schema.js';
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
} from './users/user-schema.js';
