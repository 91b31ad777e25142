import type { AccessService } from '../access/access-service.js';
import type { PolicyPreview } from '../access/policy-preview.js';
import type { Bootstrap } from '../admin/bootstrap.js';
import type { MailAdministration } from '../admin/mail-administration.js';
import type { SessionAdministration } from '../admin/session-administration.js';
import type { UserAdministration } from '../admin/user-administration.js';
import type { UserDirectory } from '../admin/user-directory.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { InvitationAdministration } from '../invitations/invitation-administration.js';
import type { MaintenanceService } from '../maintenance/maintenance-service.js';
import type { MembershipDirectory } from '../memberships/membership-directory.js';
import type { PasskeyAdministration } from '../passkeys/passkey-administration.js';
import type { PasswordAdministration } from '../password-reset/password-administration.js';
import type { SessionStatus } from '../sessions/session-status.js';

/** Services for operators. */
export interface AdministrationServices {
  readonly audit: AuditRepository;
  readonly auditLog: AuditLog;
  readonly users: UserDirectory;
  readonly userAdministration: UserAdministration;
  readonly sessionAdministration: SessionAdministration;
  readonly sessionStatus: SessionStatus;
  readonly passkeyAdministration: PasskeyAdministration;
  readonly passwordAdministration: PasswordAdministration;
  readonly bootstrap: Bootstrap;
}

/** Services by which operators manage companies. */
export interface CompanyAdministration {
  readonly members: MembershipDirectory;
  readonly access: AccessService;
  readonly policyPreview: PolicyPreview;
  readonly invitationAdministration: InvitationAdministration;
}

/** Services for the upkeep of the data and the mail. */
export interface Operations {
  readonly maintenance: MaintenanceService;
  readonly mailAdministration: MailAdministration;
}

/**
 * The services of operators alone. They require no signing key, send no mail and serve no requests.
 * @example
 * ```ts
 * async function endSessionsOf(administration: Administration, email: string): Promise<number> {
 *   const { id } = await administration.users.getByEmail(email);
 *   const alice = { kind: 'operator', name: 'alice' } as const;
 *   return (await administration.sessionAdministration.revokeAll(alice, id)).revoked;
 * }
 * const administration = await createAdministration(kit.auth.settings);
 * const { email } = await kit.user();
 * await endSessionsOf(administration, email); // → 1
 * await administration.close();
 * ```
 */
export interface Administration extends AdministrationServices, CompanyAdministration, Operations {
  /** Returns why the rules of the service refuse a password for this account; undefined when it may be set. */
  passwordObjection(password: string, email?: string): string | undefined;
  /** Closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}
