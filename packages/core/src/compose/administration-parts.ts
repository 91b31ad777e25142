import { PolicyPreview } from '../access/policy-preview.js';
import { ActivityCounter } from '../activity/activity-counter.js';
import { ActivityService } from '../activity/activity-service.js';
import { Bootstrap } from '../admin/bootstrap.js';
import { FactorAdministration } from '../admin/factor-administration.js';
import { MailAdministration } from '../admin/mail-administration.js';
import { SessionAdministration } from '../admin/session-administration.js';
import { StaffStepUp } from '../admin/staff-step-up.js';
import { UserAdministration } from '../admin/user-administration.js';
import { ApiKeyRevoker } from '../api-key-records/api-key-revoker.js';
import { ApiKeyAdministration } from '../api-keys/api-key-administration.js';
import { ApiKeyTransitions } from '../api-keys/api-key-transitions.js';
import { AuditLog } from '../audit/audit-log.js';
import { CompanyNameLearner } from '../companies/company-name-learner.js';
import { RoleAdministration } from '../company-roles/role-administration.js';
import { RolePreview } from '../company-roles/role-preview.js';
import { EmailVerificationAdministration } from '../email-verification/email-verification-administration.js';
import type { SecretColumn } from '../encryption/reencryption.js';
import { UserErasure } from '../erasure/user-erasure.js';
import { IdentityAddition } from '../external-sign-in/identity-addition.js';
import { IdentityAdministration } from '../external-sign-in/identity-administration.js';
import { IdentityRemoval } from '../external-sign-in/identity-removal.js';
import { FactorRemoval } from '../factors/factor-removal.js';
import { InvitationAdministration } from '../invitations/invitation-administration.js';
import { InvitationTransitions } from '../invitations/invitation-transitions.js';
import { InvitationWithdrawal } from '../invitations/invitation-withdrawal.js';
import { made, type Built, type PartsOf } from '../kernel/assemble.js';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { AccountRemoval } from '../login/account-removal.js';
import { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import { SecurityNotices } from '../mail/security-notices.js';
import { MembershipDirectory } from '../memberships/membership-directory.js';
import { Outbound } from '../outbound/outbound.js';
import { PasskeyAdministration } from '../passkeys/passkey-administration.js';
import { PasswordAdministration } from '../password-reset/password-administration.js';
import { PasswordPolicy, type BreachedPasswords } from '../passwords/password-policy.js';
import { PictureAdministration } from '../profile-pictures/picture-administration.js';
import { AccountTraces } from '../rate-limits/account-traces.js';
import { sessionEndParts } from '../sessions/end-parts.js';
import type { Configured } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import { SignInPolicy } from '../users/sign-in-policy.js';
import { webhookParts } from '../webhooks/parts.js';
import { accessParts } from './access-parts.js';
import type { Admin } from './admin.js';
import type { Repositories } from './repositories.js';

/** The parts that the service and the command line share. They load no library that only the service needs. */
export const ADMINISTRATION_PARTS = {
  notices: ({ outbox, settings }: Configured & { readonly outbox: Outbox }) =>
    new SecurityNotices(outbox, settings.securityNotices),
  /** Outside production the log reports each password that production would refuse. */
  policy: ({
    settings: { passwords, brand, environment },
    breached,
    logger,
  }: Configured & {
    /** Undefined: no list is configured. */
    readonly breached: BreachedPasswords | undefined;
    readonly logger: Logger;
  }) =>
    new PasswordPolicy({
      ...passwords,
      brandName: brand.name,
      breached,
      logger: environment === 'production' ? undefined : logger,
    }),
  outbound: ({ settings }: Configured) =>
    new Outbound({ ...settings.outbound, allowLoopback: settings.environment !== 'production' }),
  signInPolicy: ({ settings }: Configured) => new SignInPolicy(settings.registration.emailVerification),
  accountTraces: ({ store, logger }: Stored) => new AccountTraces(store, logger),

  apiKeyRevoker: made(ApiKeyRevoker),
  trustedDeviceRemoval: made(TrustedDeviceRemoval),
  apiKeyLifetimes: ({ settings }: Configured) => settings.apiKeys,
  apiKeyTransitions: made(ApiKeyTransitions),
  apiKeyAdministration: made(ApiKeyAdministration),
  ...sessionEndParts,
  sessionAdministration: made(SessionAdministration),

  secretColumns: ({
    totp,
    webhookEndpoints,
    externalFlows,
  }: Pick<Repositories, 'totp' | 'webhookEndpoints' | 'externalFlows'>): readonly SecretColumn[] => [
    totp,
    ...webhookEndpoints.secretColumns,
    externalFlows.secretColumn,
  ],
  ...webhookParts,
  factorRemoval: made(FactorRemoval),
  factorAdministration: made(FactorAdministration),
  passkeyAdministration: made(PasskeyAdministration),
  identityAddition: made(IdentityAddition),
  identityRemoval: made(IdentityRemoval),
  connectionLabels: ({ settings }: Configured) => {
    const providers = settings.external.providers?.reveal();
    return providers && new Map(providers.map(({ id, label }) => [id, label]));
  },
  identityAdministration: made(IdentityAdministration),
  setter: made(PasswordSetter),
  passwordAdministration: made(PasswordAdministration),

  removal: made(AccountRemoval),
  userErasure: made(UserErasure),
  staffStepUp: ({ settings, clock }: Configured & { readonly clock: Clock }) =>
    new StaffStepUp(settings.staff.stepUp, clock),
  userAdministration: made(UserAdministration),
  pictureAdministration: made(PictureAdministration),
  emailVerificationAdministration: (parts: Configured & PartsOf<typeof EmailVerificationAdministration>) =>
    new EmailVerificationAdministration(parts, parts.settings.registration),
  bootstrap: made(Bootstrap),

  invitationTtl: ({ settings }: Configured) => settings.oneTimeSecrets.invitationTtl,
  transitions: made(InvitationTransitions),
  openInvitations: made(InvitationWithdrawal),
  invitationAdministration: made(InvitationAdministration),
  strictRoles: ({ settings }: Configured) => settings.strictRoles,
  membershipDirectory: ({ membershipQueries }: Pick<Repositories, 'membershipQueries'>) =>
    new MembershipDirectory(membershipQueries),

  companyNames: made(CompanyNameLearner),
  ...accessParts,
  policyPreview: made(PolicyPreview),
  roleAdministration: made(RoleAdministration),
  rolePreview: made(RolePreview),

  activityCounter: ({ activityDays, logger }: Stored & Pick<Repositories, 'activityDays'>) =>
    new ActivityCounter(activityDays, logger),
  activity: ({
    activityDays,
    activityCounter,
  }: Pick<Repositories, 'activityDays'> & { readonly activityCounter: ActivityCounter }) =>
    new ActivityService(activityDays, activityCounter),
  mailAdministration: made(MailAdministration),
  auditLog: ({ auditLists }: Pick<Repositories, 'auditLists'>) => new AuditLog(auditLists),
};

export interface Stored {
  readonly store: EphemeralStore;
  readonly logger: Logger;
}

/** Returns the services of administrators, machines and operators, under their public names. */
export const adminOf = (parts: Built<typeof ADMINISTRATION_PARTS>): Admin => ({
  users: parts.userAdministration,
  sessions: parts.sessionAdministration,
  sessionStatus: parts.sessionStatus,
  passwords: parts.passwordAdministration,
  passkeys: parts.passkeyAdministration,
  identities: parts.identityAdministration,
  apiKeys: parts.apiKeyAdministration,
  emailVerification: parts.emailVerificationAdministration,
  factors: parts.factorAdministration,
  pictures: parts.pictureAdministration,
  erasure: parts.userErasure,
  invitations: parts.invitationAdministration,
  members: parts.membershipDirectory,
  access: parts.access,
  policyPreview: parts.policyPreview,
  roles: parts.roleAdministration,
  rolePreview: parts.rolePreview,
  mail: parts.mailAdministration,
  audit: parts.auditLog,
  activity: parts.activity,
  webhooks: parts.webhooks,
  bootstrap: parts.bootstrap,
});
