import type { CheckReport, DiagnosisProgress } from '../doctor/diagnosis.js';
import { silentLogger } from '../kernel/logger.js';
import type { SettingsInspection } from '../settings/inspect-settings.js';
import { isFaultySetting } from '../settings/readable-settings.js';
import { Database } from '../storage/database.js';

/**
 * What is looked at, and who is told how far it is.
 * @example
 * ```ts
 * const request: DiagnosisRequest = {
 *   inspection: inspectSettings({ envFile: 'production.env' }),
 *   replicas: 3,
 *   onProgress: (done, total) => process.stderr.write(`${done} of ${total}\r`),
 * };
 * request.inspection.faults.length > 0; // → true
 * ```
 */
export interface DiagnosisRequest {
  inspection: SettingsInspection;
  /** The database of a service that runs here without `DATABASE_URL`. */
  embeddedUrl?: string | undefined;
  /** Processes of the service that share the database; 1 unless told otherwise. */
  replicas?: number | undefined;
  onProgress?: DiagnosisProgress | undefined;
}

/** Under this name the connections of a diagnosis show in `pg_stat_activity`. */
const APPLICATION_NAME = 'latchkey-doctor';

/**
 * Looks at everything the service needs and changes nothing of it. Whatever is found, nothing is thrown.
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
  // The probes know every library the service uses: they are loaded when they are to be used, and so are the checks.
  const { pendingFacts } = await import('./pending-facts.js');
  const { runChecks } = await import('../doctor/diagnosis.js');
  const { readable } = inspection;
  const database = open(() => readable.database.url?.reveal() ?? embeddedUrl, false);
  const finance = open(() => readable.finance.url?.reveal(), true);
  try {
    return await runChecks(
      pendingFacts({ inspection, replicas, database, finance, applicationName: APPLICATION_NAME }),
      onProgress,
    );
  } finally {
    await Promise.all([database?.close(), finance?.close()]);
  }
}

function open(address: () => string | undefined, readOnly: boolean): Database | undefined {
  const url = whereReadable(address);
  if (url === undefined) return undefined;
  const options = {
    poolMax: 3,
    preparedStatements: false,
    applicationName: APPLICATION_NAME,
    logger: silentLogger,
  };
  return new Database({ url, readOnly, ...options });
}

/** Undefined when a setting it comes from is faulty, which the checks tell. */
function whereReadable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isFaultySetting(error)) return undefined;
    throw error;
  }
}
