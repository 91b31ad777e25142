import { Bootstrap } from '../admin/bootstrap.js';
import { SessionAdministration } from '../admin/session-administration.js';
import { UserAdministration, type NewPasswords } from '../admin/user-administration.js';
import { UserDirectory } from '../admin/user-directory.js';
import { AuditLog } from '../audit/audit-log.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import { PasskeyAdministration } from '../passkeys/passkey-administration.js';
import { PasswordAdministration } from '../password-reset/password-administration.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import { SessionStatus } from '../sessions/session-status.js';
import type { AdministrationServices } from './administration.js';
import type { Repositories } from './repositories.js';

interface AdministrationDeps {
  readonly passwords: NewPasswords;
  readonly policy: PasswordPolicy;
  readonly outbox: Outbox;
  readonly sessionRevoker: SessionRevoker;
  readonly setter: PasswordSetter;
  readonly openInvitations: OpenInvitations;
}

/** Builds the services that operators use, over HTTP and on the command line. */
export function buildAdministration(
  repositories: Repositories,
  deps: AdministrationDeps,
): AdministrationServices {
  const shared = { ...repositories, ...deps };
  return {
    audit: repositories.audit,
    auditLog: new AuditLog(repositories.auditLists),
    users: new UserDirectory(repositories.users, repositories.memberships),
    userAdministration: new UserAdministration(shared),
    sessionAdministration: new SessionAdministration(shared),
    sessionStatus: new SessionStatus(repositories.sessions),
    passkeyAdministration: new PasskeyAdministration(shared),
    passwordAdministration: new PasswordAdministration(shared),
    bootstrap: new Bootstrap(shared),
  };
}
