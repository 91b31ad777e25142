import type { SettingsInspection } from '@latchkey/core/settings';
import type { CheckReport } from '@latchkey/operations';
import type { Call } from '../../runtime/call.js';
import { countOf } from '../../runtime/count-words.js';
import { findEmbeddedDatabase } from '../../runtime/embedded-database.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { hanging } from '../../runtime/hanging.js';
import { printable } from '../../runtime/printable.js';
import type { TableSpace } from '../../runtime/table.js';
import type { Style } from '../../runtime/terminal.js';

const MARKS: Record<CheckReport['status'], string> = { ok: '✓', warning: '!', error: '✗', skipped: '-' };

const STYLES: Record<CheckReport['status'], Style> = {
  ok: 'green',
  warning: 'yellow',
  error: 'red',
  skipped: 'dim',
};

/** Returns the reports for a person: one line each, with reason and fix for problems. */
function diagnosisLines(reports: readonly CheckReport[], space: TableSpace): string[] {
  const groups = [...new Set(reports.map(({ group }) => group))];
  return groups.flatMap((group, index) => {
    const own = reports.filter((report) => report.group === group);
    const lines = withoutRepetition(own).flatMap((report) => linesOf(report, space));
    return [...(index === 0 ? [] : ['']), space.paint('bold', group), ...lines];
  });
}

/** Merges checks that were skipped for the same reason into one line. */
function withoutRepetition(reports: readonly CheckReport[]): CheckReport[] {
  return reports.flatMap((report) => {
    if (report.status !== 'skipped') return [report];
    const alike = reports.filter(({ status, found }) => status === 'skipped' && found === report.found);
    if (alike[0] !== report) return [];
    const title = alike.length === 1 ? report.title : `${report.title}, and ${alike.length - 1} more`;
    return [{ ...report, title }];
  });
}

function linesOf({ status, title, found, why, fix }: CheckReport, { paint, columns }: TableSpace): string[] {
  const lead = `  ${paint(STYLES[status], MARKS[status])} `;
  const outcome = printable(found);
  const line = (text: string): string[] => hanging(lead, text, columns);
  if (status === 'skipped') return line(`${title} ${paint('dim', `(${outcome})`)}`);
  if (fix === null) return line(`${title}: ${outcome}`);
  // The title states the expectation; as a heading of a problem it would contradict what was found.
  return [
    ...line(`Expected: ${title}. Found: ${outcome}`),
    ...hanging('    why  ', why, columns),
    ...hanging('    fix  ', printable(fix), columns),
  ];
}

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
