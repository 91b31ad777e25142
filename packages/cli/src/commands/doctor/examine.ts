import type { SettingsInspection } from '@latchkey/core/settings';
import type { CheckReport } from '@latchkey/operations';
import type { Call } from '../../runtime/call.js';
import { countOf } from '../../runtime/count-words.js';
import { findEmbeddedDatabase } from '../../runtime/embedded-database.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { diagnosisLines } from './diagnosis-lines.js';

interface DoctorOptions {
  replicas: number;
  strict?: boolean;
}

export async function examine(call: Call<DoctorOptions>): Promise<void> {
  const { options, output, progress } = call;
  const { diagnose } = await import('@latchkey/operations');
  const { inspectSettings } = await import('@latchkey/core/settings');
  const inspection = inspectSettings();
  const embeddedUrl = await embeddedUrlFor(inspection);
  const reports = await progress.during('Checking', (bar) =>
    diagnose({ inspection, embeddedUrl, replicas: options.replicas, onProgress: (...at) => bar.at(...at) }),
  );
  const needy = reports.filter(({ status }) => status === 'error' || status === 'warning');
  output.report({
    view: reports,
    items: options.quiet === true ? needy : reports,
    fields: ['status', 'id', 'found', 'fix'],
    id: ({ id }) => id,
    forPeople: (space) => diagnosisLines(reports, space),
  });
  conclude(reports, call);
}

/** Returns the embedded database of a service without settings, which is available while it runs. */
async function embeddedUrlFor({ readable }: SettingsInspection): Promise<string | undefined> {
  try {
    return readable.database.url === undefined ? await findEmbeddedDatabase(readable.dataDir) : undefined;
  } catch (error) {
    // The checks report the invalid setting.
    if (error instanceof Error && error.name === 'FaultySettingError') return undefined;
    throw error;
  }
}

function conclude(reports: readonly CheckReport[], { options, output }: Call<DoctorOptions>): void {
  const [errors, warnings] = [countWithStatus(reports, 'error'), countWithStatus(reports, 'warning')];
  if (errors > 0 || (options.strict === true && warnings > 0)) {
    throw new CommandError(EXIT.failed, `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}.`);
  }
  output.note(warnings === 0 ? 'No problems found.' : `${countOf(warnings, 'warning')}, no error.`);
}

const countWithStatus = (reports: readonly CheckReport[], wanted: CheckReport['status']): number =>
  reports.filter(({ status }) => status === wanted).length;
