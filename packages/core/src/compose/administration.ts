import type { SessionAdministration } from '../admin/session-administration.js';
import type { UserAdministration } from '../admin/user-administration.js';
import type { UserDirectory } from '../admin/user-directory.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { AuditRepository } from '../audit/audit-repository.js';

/** What operators work with. */
export interface AdministrationServices {
  readonly audit: AuditRepository;
  readonly auditLog: AuditLog;
  readonly users: UserDirectory;
  readonly userAdministration: UserAdministration;
  readonly sessionAdministration: SessionAdministration;
}

/** The services of operators without the rest: no signing key, no mail, no requests to answer. */
export interface Administration extends AdministrationServices {
  /** Closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}
