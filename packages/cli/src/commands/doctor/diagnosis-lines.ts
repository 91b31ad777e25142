import type { CheckReport } from '@latchkey/operations';
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
export function diagnosisLines(reports: readonly CheckReport[], space: TableSpace): string[] {
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
