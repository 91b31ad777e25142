import { SessionAdministration } from '../admin/session-administration.js';
import { UserAdministration, type NewPasswords } from '../admin/user-administration.js';
import { UserDirectory } from '../admin/user-directory.js';
import { MembershipRepository } from '../memberships/membership-repository.js';
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
    users: new UserDirectory(records.users, new MembershipRepository(records.database)),
    userAdministration: new UserAdministration({ ...records, ...newPasswords }),
    sessionAdministration: new SessionAdministration(records),
  };
}
