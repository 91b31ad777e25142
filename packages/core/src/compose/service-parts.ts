import { AccountDeletionService } from '../account-deletion/account-deletion-service.js';
import { InternalKeyDenial } from '../admin/internal-key-denial.js';
import { InternalKey } from '../admin/internal-key.js';
import { SessionMinting } from '../admin/session-minting.js';
import { apiKeyParts } from '../api-keys/parts.js';
import { AppSignInService } from '../app-sign-in/app-sign-in-service.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { CompanyRepository } from '../companies/company-repository.js';
import { CompanyService } from '../companies/company-service.js';
import { RoleService } from '../company-roles/role-service.js';
import { EmailChangeService } from '../email-change/email-change-service.js';
import { EmailVerificationService } from '../email-verification/email-verification-service.js';
import { DueDeletions } from '../erasure/due-deletions.js';
import { PersonalDataExport } from '../erasure/personal-data-export.js';
import { externalParts } from '../external-sign-in/parts.js';
import { HandoffCodes } from '../handoff/handoff-codes.js';
import { HandoffRefusal } from '../handoff/handoff-refusal.js';
import { HandoffService } from '../handoff/handoff-service.js';
import { StaffActing } from '../handoff/staff-acting.js';
import { HealthService } from '../health/health-service.js';
import { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { BeforeHooks } from '../hooks/before-hooks.js';
import { InvitationAcceptance } from '../invitations/invitation-acceptance.js';
import { InvitationService } from '../invitations/invitation-service.js';
import { made, withOthers, type PartsOf } from '../kernel/assemble.js';
import { loginParts } from '../login/parts.js';
import { MailedSignInService } from '../mailed-sign-in/mailed-sign-in-service.js';
import { CompanyActivity } from '../memberships/company-activity.js';
import { FinanceWorkflow } from '../memberships/finance-workflow.js';
import { MembershipService } from '../memberships/membership-service.js';
import { passkeyParts } from '../passkeys/parts.js';
import { PasswordResetService } from '../password-reset/password-reset-service.js';
import { ProfilePictureService } from '../profile-pictures/profile-picture-service.js';
import { rateLimitParts } from '../rate-limits/parts.js';
import { RevocationFeed } from '../revocations/revocation-feed.js';
import { RevocationPoller } from '../revocations/revocation-poller.js';
import { secondFactorParts } from '../second-factor/parts.js';
import { ServiceTokenService } from '../service-tokens/service-token-service.js';
import { sessionParts } from '../sessions/parts.js';
import type { Settings } from '../settings/settings.js';
import { stepUpParts } from '../step-up/parts.js';
import type { Database } from '../storage/database.js';
import type { ServiceTokens } from '../tokens/service-token.js';
import { webhookWorkerParts } from '../webhooks/parts.js';
import { ADMINISTRATION_PARTS } from './administration-parts.js';
import type { Repositories } from './repositories.js';

interface Given {
  readonly settings: Settings;
  /** The optional finance database, which names the companies. */
  readonly financeDatabase: Database | undefined;
}

interface HookParts {
  readonly before: BeforeHooks;
  readonly audit: AuditRepository;
}

type HandoffParts = Given & Omit<PartsOf<typeof HandoffService>, 'ttl'>;

type StaffActingParts = Given & Omit<PartsOf<typeof StaffActing>, 'ttl' | 'isForApps'>;

type ServiceTokenParts = Given &
  Omit<PartsOf<typeof ServiceTokenService>, 'tokens' | 'clients' | 'ownAudience'> & {
    serviceTokens: ServiceTokens;
  };

/** Every part of the service: a line for each capability. */
export const SERVICE_PARTS = {
  ...ADMINISTRATION_PARTS,
  ...rateLimitParts,
  ...sessionParts,
  ...secondFactorParts,
  ...loginParts,
  ...passkeyParts,
  ...stepUpParts,
  ...externalParts,
  ...apiKeyParts,
  ...webhookWorkerParts,
  beforeHooks: ({ before, audit }: HookParts) => new BeforeHookRunner(before, audit),
  health: (parts: Given & Omit<PartsOf<typeof HealthService>, 'finance' | 'requireRedis'>) =>
    new HealthService(
      withOthers(parts, {
        finance: parts.financeDatabase,
        requireRedis: parts.settings.health.requireRedis,
      }),
    ),
  internalKey: ({ settings }: Given) => new InternalKey(settings.machine.internalApiKeys?.reveal() ?? []),
  internalKeyDenial: made(InternalKeyDenial),
  acting: ({ settings }: Given) => settings.sessions.acting,
  sessionMinting: made(SessionMinting),
  appSignIn: made(AppSignInService),
  mailedSignIn: (parts: Given & PartsOf<typeof MailedSignInService>) =>
    parts.settings.mailedSignIn ? new MailedSignInService(parts) : undefined,
  personalData: made(PersonalDataExport),
  accountDeletion: (parts: Given & PartsOf<typeof AccountDeletionService>) =>
    parts.settings.accountDeletion === 'self' ? new AccountDeletionService(parts) : undefined,
  profilePictures: (parts: Given & Omit<PartsOf<typeof ProfilePictureService>, 'baseUrl'>) =>
    parts.settings.profilePictures
      ? new ProfilePictureService(withOthers(parts, { baseUrl: parts.settings.http.baseUrl }))
      : undefined,
  dueDeletions: made(DueDeletions),
  passwordReset: made(PasswordResetService),
  emailVerification: (parts: Given & PartsOf<typeof EmailVerificationService>) =>
    new EmailVerificationService(parts, parts.settings.registration),
  emailChange: made(EmailChangeService),
  invitationService: made(InvitationService),
  invitationAcceptance: made(InvitationAcceptance),
  membershipService: made(MembershipService),
  companyActivity: made(CompanyActivity),
  roleService: made(RoleService),
  financeWorkflow: made(FinanceWorkflow),
  companies: ({ settings, financeDatabase, companyQueries }: Given & Pick<Repositories, 'companyQueries'>) =>
    new CompanyService(
      financeDatabase && new CompanyRepository(financeDatabase, settings.finance.companyQuery),
      companyQueries,
    ),
  poller: made(RevocationPoller),
  revocationFeed: made(RevocationFeed),
  handoffCodes: made(HandoffCodes),
  handoffRefusal: made(HandoffRefusal),
  handoff: (parts: HandoffParts) =>
    new HandoffService(withOthers(parts, { ttl: parts.settings.oneTimeSecrets.handoffTtl })),
  staffActing: (parts: StaffActingParts) =>
    parts.settings.staff.acting
      ? new StaffActing(
          withOthers(parts, {
            ttl: parts.settings.oneTimeSecrets.handoffTtl,
            isForApps: !parts.settings.http.cookieMode,
          }),
        )
      : undefined,
  serviceTokenService: (parts: ServiceTokenParts) =>
    new ServiceTokenService(
      withOthers(parts, {
        tokens: parts.serviceTokens,
        clients: parts.settings.machine.serviceClients?.reveal() ?? [],
        ownAudience: parts.settings.tokens.audience,
      }),
    ),
};
