import { silentLogger } from '@latchkey/core/internal/kernel/logger';
import type { SettingsInspection } from '@latchkey/core/internal/settings/inspect-settings';
import { isFaultySetting } from '@latchkey/core/internal/settings/readable-settings';
import { Database, type DatabaseOptions } from '@latchkey/core/internal/storage/database';
import type { CheckReport, DiagnosisProgress } from '../doctor/diagnosis.js';

/** The settings to check, and a callback for progress. */
export interface DiagnosisRequest {
  inspection: SettingsInspection;
  /** URL of the database of a service that runs here without `DATABASE_URL`. */
  embeddedUrl?: string | undefined;
  /** Processes of the service that share the database. Defaults to 1. */
  replicas?: number | undefined;
  onProgress?: DiagnosisProgress | undefined;
}

/** Application name of these connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'latchkey-doctor';

/**
 * Checks everything that the service depends on, without changes. Never throws because of what it finds.
 * @example
 * ```ts
 * const inspection = inspectSettings({ source: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } });
 * const reports = await diagnose({ inspection });
 * reports.some(({ group, status }) => group === 'Database' && status === 'error'); // → true
 * ```
 */
export async function diagnose({
  inspection,
  embeddedUrl,
  replicas = 1,
  onProgress,
}: DiagnosisRequest): Promise<CheckReport[]> {
  // The probes import every library of the service, so they are loaded only when they run, like the checks.
  const { pendingFacts } = await import('./pending-facts.js');
  const { runChecks } = await import('../doctor/diagnosis.js');
  const { readable } = inspection;
  const schema = whereReadable(() => readable.database.schema);
  const database = open(() => readable.database.url?.reveal() ?? embeddedUrl, { schema });
  const finance = open(() => readable.finance.url?.reveal(), { readOnly: true });
  try {
    return await runChecks(
      pendingFacts({ inspection, replicas, database, finance, applicationName: APPLICATION_NAME }),
      onProgress,
    );
  } finally {
    await Promise.all([database?.close(), finance?.close()]);
  }
}

function open(
  address: () => string | undefined,
  kind: Pick<DatabaseOptions, 'readOnly' | 'schema'>,
): Database | undefined {
  const url = whereReadable(address);
  if (url === undefined) return undefined;
  const options = {
    poolMax: 3,
    preparedStatements: false,
    applicationName: APPLICATION_NAME,
    logger: silentLogger,
  };
  return new Database({ url, ...kind, ...options });
}

/** Returns undefined when a setting that it depends on is faulty; the checks report that. */
function whereReadable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isFaultySetting(error)) return undefined;
    throw error;
  }
}
