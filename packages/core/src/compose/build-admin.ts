import type { AccessService } from '../access/access-service.js';
import type { EntitlementSource } from '../access/entitlements.js';
import { PolicyPreview } from '../access/policy-preview.js';
import { Bootstrap } from '../admin/bootstrap.js';
import { FactorAdministration } from '../admin/factor-administration.js';
import { MailAdministration } from '../admin/mail-administration.js';
import { SessionAdministration } from '../admin/session-administration.js';
import { StaffStepUp } from '../admin/staff-step-up.js';
import { UserAdministration, type NewPasswords } from '../admin/user-administration.js';
import { AuditLog } from '../audit/audit-log.js';
import { EmailVerificationAdministration } from '../email-verification/email-verification-administration.js';
import { UserErasure } from '../erasure/user-erasure.js';
import { InvitationAdministration } from '../invitations/invitation-administration.js';
import type { Clock } from '../kernel/clock.js';
import { AccountRemoval } from '../login/account-removal.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import { MaintenanceService } from '../maintenance/maintenance-service.js';
import { retentionsOf } from '../maintenance/retention.js';
import { MembershipDirectory } from '../memberships/membership-directory.js';
import { PasskeyAdministration } from '../passkeys/passkey-administration.js';
import { PasswordAdministration } from '../password-reset/password-administration.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountTraces } from '../rate-limits/account-traces.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import { SessionStatus } from '../sessions/session-status.js';
import type { Settings } from '../settings/settings.js';
import { UserExporter } from '../user-export/user-exporter.js';
import type { HashWrapper } from '../user-import/import-preparation.js';
import { UserImporter } from '../user-import/user-importer.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { Admin } from './admin.js';
import type { InvitationCollaborators } from './build-invitations.js';
import type { Repositories } from './repositories.js';

interface AdminDeps {
  readonly signInPolicy: SignInPolicy;
  readonly passwords: NewPasswords & HashWrapper;
  readonly policy: PasswordPolicy;
  readonly outbox: Outbox;
  readonly notices: SecurityNotices;
  readonly sessionRevoker: SessionRevoker;
  readonly accountTraces: AccountTraces;
  readonly setter: PasswordSetter;
  readonly invitations: InvitationCollaborators;
  readonly access: AccessService;
  readonly entitlements: EntitlementSource;
  readonly clock: Clock;
}

/** Builds the services of administrators, machines and operators, for the service and for the command line alike. */
export function buildAdmin(
  settings: Settings,
  repositories: Repositories,
  { invitations, ...deps }: AdminDeps,
): Admin {
  const staffStepUp = new StaffStepUp(settings.staff.stepUp, deps.clock);
  const shared = { ...repositories, ...invitations, ...deps, staffStepUp };
  return {
    users: new UserAdministration(shared),
    sessions: new SessionAdministration(shared),
    sessionStatus: new SessionStatus(repositories.sessionStates),
    passwords: new PasswordAdministration(shared),
    passkeys: new PasskeyAdministration(shared),
    emailVerification: new EmailVerificationAdministration(shared, settings.registration),
    factors: new FactorAdministration(shared),
    erasure: new UserErasure({ ...shared, removal: new AccountRemoval(repositories) }),
    invitations: new InvitationAdministration(shared),
    members: new MembershipDirectory(repositories.membershipQueries),
    access: deps.access,
    policyPreview: new PolicyPreview(shared),
    mail: new MailAdministration(shared),
    audit: new AuditLog(repositories.auditLists),
    userImports: new UserImporter(shared),
    userExports: new UserExporter(shared),
    maintenance: new MaintenanceService(repositories, retentionsOf(settings)),
    bootstrap: new Bootstrap(shared),
  };
}
