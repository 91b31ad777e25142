import type { Admin } from '@latchkey/core/internal/compose/admin';
import type { MaintenanceService } from '../maintenance/maintenance-service.js';
import type { UserExporter } from '../user-export/user-exporter.js';
import type { UserImporter } from '../user-import/user-importer.js';

/** The services of operators without the rest: no signing key, no mail, no requests to answer. */
export interface Administration extends Admin {
  readonly userImports: UserImporter;
  readonly userExports: UserExporter;
  readonly maintenance: MaintenanceService;
  /** Returns why the rules of the service refuse a password for this account; undefined when it may be set. */
  passwordObjection(password: string, email?: string): Promise<string | undefined>;
  /** Closes every connection. Calling it twice is fine. */
  close(): Promise<void>;
}
