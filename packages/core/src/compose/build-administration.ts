import { SessionAdministration } from '../admin/session-administration.js';
import { UserAdministration, type NewPasswords } from '../admin/user-administration.js';
import { UserDirectory } from '../admin/user-directory.js';
import { AuditListRepository } from '../audit/audit-list-repository.js';
import { AuditLog } from '../audit/audit-log.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AdministrationServices } from './administration.js';
import type { Records } from './build-records.js';

/** The services that operators use, whether over HTTP or at the command line. */
export function buildAdministration(
  records: Records,
  newPasswords: { passwords: NewPasswords; policy: PasswordPolicy },
): AdministrationServices {
  return {
    audit: records.audit,
    auditLog: new AuditLog(new AuditListRepository(records.database)),
    users: new UserDirectory(records.users, records.memberships),
    userAdministration: new UserAdministration({ ...records, ...newPasswords }),
    sessionAdministration: new SessionAdministration(records),
  };
}
