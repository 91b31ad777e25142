import { ModuleRuleRepository } from '../access/module-rule-repository.js';
import { ActivityRepository } from '../activity/activity-repository.js';
import { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import { ApiKeyQueries } from '../api-keys/api-key-queries.js';
import { AuditErasureRepository } from '../audit/audit-erasure-repository.js';
import { AuditListRepository } from '../audit/audit-list-repository.js';
import { AuditRepository } from '../audit/audit-repository.js';
import type { AuthEvents } from '../audit/auth-events.js';
import type { OwnRowsRunner } from '../audit/own-rows.js';
import { CompanyQueries } from '../companies/company-queries.js';
import { KnownCompanyRepository } from '../companies/known-company-repository.js';
import { CompanyRoleRepository } from '../company-roles/company-role-repository.js';
import { PersonalDataQueries } from '../erasure/personal-data-queries.js';
import { ChallengeRepository } from '../factors/challenge-repository.js';
import { FactorStateQueries } from '../factors/factor-state-queries.js';
import { RecoveryCodeRepository } from '../factors/kinds/recovery-code/recovery-code-repository.js';
import { TotpRepository } from '../factors/kinds/totp/totp-repository.js';
import { HandoffRepository } from '../handoff/handoff-repository.js';
import { ExternalFlowRepository } from '../identities/external-flow-repository.js';
import { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import { InvitationQueries } from '../invitations/invitation-queries.js';
import { InvitationRepository } from '../invitations/invitation-repository.js';
import { InviterRepository } from '../invitations/inviter-repository.js';
import { ApprovalNoticeRepository } from '../login/approval-notice-repository.js';
import { OutboxListRepository } from '../mail/outbox-list-repository.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { FinanceRepository } from '../memberships/finance-repository.js';
import { MembershipQueries } from '../memberships/membership-queries.js';
import { MembershipRepository } from '../memberships/membership-repository.js';
import { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import { PasskeyQueries } from '../passkeys/passkey-queries.js';
import { PasskeyRepository } from '../passkeys/passkey-repository.js';
import { ProfilePictureRepository } from '../profile-pictures/profile-picture-repository.js';
import { RevocationRepository } from '../revocations/revocation-repository.js';
import { RotationRepository } from '../sessions/rotation-repository.js';
import { SessionQueries } from '../sessions/session-queries.js';
import { SessionRepository } from '../sessions/session-repository.js';
import { SessionStateQueries } from '../sessions/session-state-queries.js';
import { SessionStatsQueries } from '../sessions/session-stats-queries.js';
import { SignInDeviceRepository } from '../sign-in-devices/sign-in-device-repository.js';
import type { Database } from '../storage/database.js';
import { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';
import { DeletionLinkRepository } from '../users/deletion-link-repository.js';
import { EmailChangeRepository } from '../users/email-change-repository.js';
import { EmailVerificationRepository } from '../users/email-verification-repository.js';
import { MailedSignInRepository } from '../users/mailed-sign-in-repository.js';
import { PasswordHashRepository } from '../users/password-hash-repository.js';
import { PasswordResetRepository } from '../users/password-reset-repository.js';
import { UserQueries } from '../users/user-queries.js';
import { UserRepository } from '../users/user-repository.js';
import { WebhookDeliveryRepository } from '../webhooks/webhook-delivery-repository.js';
import { WebhookEndpointRepository } from '../webhooks/webhook-endpoint-repository.js';

export type Repositories = ReturnType<typeof createRepositories>;

/**
 * Creates every repository of the authentication database, once, under the names by which services take them.
 * @param events is notified of each audit row after its commit.
 */
export function createRepositories(database: Database, events: AuthEvents, ownRows?: OwnRowsRunner) {
  const audit = new AuditRepository(database, events, ownRows);
  const users = new UserRepository(database);
  const membershipWrites = new MembershipWriteRepository();
  return {
    database,
    audit,
    auditErasures: new AuditErasureRepository(database),
    activityDays: new ActivityRepository(database),
    auditLists: new AuditListRepository(database),
    apiKeys: new ApiKeyRepository(database),
    apiKeyQueries: new ApiKeyQueries(database),
    users,
    userQueries: new UserQueries(database),
    hashes: new PasswordHashRepository(database),
    sessions: new SessionRepository(database, audit),
    rotations: new RotationRepository(database),
    sessionStates: new SessionStateQueries(database),
    sessionQueries: new SessionQueries(database),
    sessionStats: new SessionStatsQueries(database),
    memberships: new MembershipRepository(database),
    membershipWrites,
    membershipQueries: new MembershipQueries(database),
    knownCompanies: new KnownCompanyRepository(database),
    companyQueries: new CompanyQueries(database),
    companyRoles: new CompanyRoleRepository(database),
    finance: new FinanceRepository(),
    rules: new ModuleRuleRepository(database),
    invitations: new InvitationRepository(database),
    invitationQueries: new InvitationQueries(database),
    inviters: new InviterRepository({ database, users, membershipWrites }),
    totp: new TotpRepository(database),
    recoveryCodes: new RecoveryCodeRepository(database),
    challenges: new ChallengeRepository(database),
    factorStates: new FactorStateQueries(database),
    signInDevices: new SignInDeviceRepository(database),
    trustedDevices: new TrustedDeviceRepository(database),
    resets: new PasswordResetRepository(database),
    verifications: new EmailVerificationRepository(database),
    emailChanges: new EmailChangeRepository(database),
    handoffs: new HandoffRepository(),
    ...personalRepositories(database),
    approvalNotices: new ApprovalNoticeRepository(database),
    mails: new OutboxRepository(database),
    mailLists: new OutboxListRepository(database),
    revocations: new RevocationRepository(database),
    ...signInRepositories(database),
    ...webhookRepositories(database),
  };
}

const personalRepositories = (database: Database) => ({
  personalDataQueries: new PersonalDataQueries(database),
  pictures: new ProfilePictureRepository(database),
});

const signInRepositories = (database: Database) => ({
  passkeys: new PasskeyRepository(database),
  passkeyQueries: new PasskeyQueries(database),
  identities: new ExternalIdentityRepository(database),
  mailedSignIns: new MailedSignInRepository(database),
  deletionLinks: new DeletionLinkRepository(database),
  externalFlows: new ExternalFlowRepository(database),
});

const webhookRepositories = (database: Database) => ({
  webhookEndpoints: new WebhookEndpointRepository(database),
  webhookDeliveries: new WebhookDeliveryRepository(database),
});
