import { Bootstrap } from '../admin/bootstrap.js';
import { SessionAdministration } from '../admin/session-administration.js';
import { UserAdministration, type NewPasswords } from '../admin/user-administration.js';
import { UserDirectory } from '../admin/user-directory.js';
import { AuditListRepository } from '../audit/audit-list-repository.js';
import { AuditLog } from '../audit/audit-log.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import { PasskeyAdministration } from '../passkeys/passkey-administration.js';
import { PasskeyQueries } from '../passkeys/passkey-queries.js';
import { PasskeyRepository } from '../passkeys/passkey-repository.js';
import { PasswordAdministration } from '../password-reset/password-administration.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import { SessionDetailsRepository } from '../sessions/session-details-repository.js';
import { SessionStatus } from '../sessions/session-status.js';
import type { AdministrationServices } from './administration.js';
import type { Records } from './build-records.js';

/** The services that operators use, whether over HTTP or at the command line. */
export function buildAdministration(
  records: Records,
  parts: {
    passwords: NewPasswords;
    policy: PasswordPolicy;
    outbox: Outbox;
    setter: PasswordSetter;
    openInvitations: OpenInvitations;
  },
): AdministrationServices {
  const { database } = records;
  const shared = { ...records, ...parts };
  return {
    audit: records.audit,
    auditLog: new AuditLog(new AuditListRepository(database)),
    users: new UserDirectory(records.users, records.memberships),
    userAdministration: new UserAdministration(shared),
    sessionAdministration: new SessionAdministration({
      ...records,
      details: new SessionDetailsRepository(database),
    }),
    sessionStatus: new SessionStatus(records.sessions),
    passkeyAdministration: new PasskeyAdministration({
      ...shared,
      passkeys: new PasskeyRepository(database),
      owned: new PasskeyQueries(database),
    }),
    passwordAdministration: new PasswordAdministration(shared),
    bootstrap: new Bootstrap(shared),
  };
}
