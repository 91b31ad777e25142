import type { AccessService } from '../access/access-service.js';
import type { PolicyPreview } from '../access/policy-preview.js';
import type { ActivityService } from '../activity/activity-service.js';
import type { Bootstrap } from '../admin/bootstrap.js';
import type { FactorAdministration } from '../admin/factor-administration.js';
import type { MailAdministration } from '../admin/mail-administration.js';
import type { SessionAdministration } from '../admin/session-administration.js';
import type { UserAdministration } from '../admin/user-administration.js';
import type { ApiKeyAdministration } from '../api-keys/api-key-administration.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { RoleAdministration } from '../company-roles/role-administration.js';
import type { RolePreview } from '../company-roles/role-preview.js';
import type { EmailVerificationAdministration } from '../email-verification/email-verification-administration.js';
import type { UserErasure } from '../erasure/user-erasure.js';
import type { IdentityAdministration } from '../external-sign-in/identity-administration.js';
import type { InvitationAdministration } from '../invitations/invitation-administration.js';
import type { MembershipDirectory } from '../memberships/membership-directory.js';
import type { PasskeyAdministration } from '../passkeys/passkey-administration.js';
import type { PasswordAdministration } from '../password-reset/password-administration.js';
import type { PictureAdministration } from '../profile-pictures/picture-administration.js';
import type { SessionStatus } from '../sessions/session-status.js';
import type { WebhookService } from '../webhooks/webhook-service.js';

/**
 * The services of administrators, machines and operators, one member for each noun. `createAdministration()`
 * of `@latchkey/operations` has them, too.
 */
export interface Admin {
  readonly users: UserAdministration;
  readonly sessions: SessionAdministration;
  /** Reports whether the session of an access token is active, without counting that as a use. */
  readonly sessionStatus: SessionStatus;
  readonly passwords: PasswordAdministration;
  readonly passkeys: PasskeyAdministration;
  /** Accounts at other services by which users sign in. */
  readonly identities: IdentityAdministration;
  readonly apiKeys: ApiKeyAdministration;
  readonly emailVerification: EmailVerificationAdministration;
  readonly factors: FactorAdministration;
  /** Removes pictures that users have uploaded. */
  readonly pictures: PictureAdministration;
  /** Erases the personal data of users. */
  readonly erasure: UserErasure;
  readonly invitations: InvitationAdministration;
  readonly members: MembershipDirectory;
  readonly access: AccessService;
  readonly policyPreview: PolicyPreview;
  /** Definitions of roles, of companies and as templates. */
  readonly roles: RoleAdministration;
  readonly rolePreview: RolePreview;
  readonly mail: MailAdministration;
  readonly audit: AuditLog;
  /** Sign-ins and registrations by day. */
  readonly activity: ActivityService;
  /** Receivers of signed messages about events. */
  readonly webhooks: WebhookService;
  readonly bootstrap: Bootstrap;
}
