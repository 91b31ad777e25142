import { made, type PartsOf } from '@latchkey/core/internal/kernel/assemble';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import type { Database } from '@latchkey/core/internal/storage/database';
import { MaintenanceService } from '../maintenance/maintenance-service.js';
import { RetentionRepository } from '../maintenance/retention-repository.js';
import { retentionsOf } from '../maintenance/retention.js';
import { UserExporter } from '../user-export/user-exporter.js';
import { ImportRunRepository } from '../user-import/import-run-repository.js';
import { UserImporter } from '../user-import/user-importer.js';

interface Stored {
  readonly database: Database;
}

/** The parts that operators have beside those of the service, with the repositories that only they use. */
export const OPERATIONS_PARTS = {
  rows: ({ database }: Stored) => new RetentionRepository(database),
  importRuns: ({ database }: Stored) => new ImportRunRepository(database),
  /** Identities of other connections would sign no one in. */
  importConnections: ({ settings }: { readonly settings: Settings }) =>
    (settings.external.providers?.reveal() ?? []).map(({ id, type }) => ({ id, type })),
  userImporter: made(UserImporter),
  userExporter: made(UserExporter),
  maintenance: (parts: { readonly settings: Settings } & PartsOf<typeof MaintenanceService>) =>
    new MaintenanceService(parts, retentionsOf(parts.settings)),
};
