import type { SettingsInspection } from '@latchkey/core/settings';
import type { Call } from '../../runtime/call.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { printable } from '../../runtime/printable.js';
import type { TableSpace } from '../../runtime/table.js';
import type { ConfigOptions } from './config-options.js';

interface Remark {
  kind: 'fault' | 'warning';
  name: string;
  found: string;
  /** Null in a warning. */
  expected: string | null;
  fix: string;
}

export async function checkSettings({ options, output }: Call<ConfigOptions>): Promise<void> {
  const { inspectSettings } = await import('@latchkey/core/settings');
  const inspection = inspectSettings({ envFile: options.envFile });
  const { faults, warnings } = inspection;
  const remarks = remarksOf(inspection);
  output.report({
    view: { faults, warnings },
    items: remarks,
    fields: ['kind', 'name', 'found', 'expected', 'fix'],
    id: ({ name }) => name,
    forPeople: (space) => remarks.flatMap((remark) => paragraph(remark, space)),
  });
  if (faults.length > 0) {
    const count = faults.length === 1 ? '1 setting is' : `${faults.length} settings are`;
    throw new CommandError(EXIT.failed, `${count} missing or invalid: the service would not start.`);
  }
  output.note(
    warnings.length === 0 ? 'The settings are valid.' : 'The service would start with these settings.',
  );
}

const remarksOf = ({ faults, warnings }: SettingsInspection): Remark[] => [
  ...faults.map((fault) => ({ kind: 'fault' as const, ...fault })),
  ...warnings.map((warning) => ({ kind: 'warning' as const, ...warning, expected: null })),
];

function paragraph({ kind, name, found, expected, fix }: Remark, { paint }: TableSpace): string[] {
  const style = kind === 'fault' ? 'red' : 'yellow';
  const lines = [`found     ${found}`, ...(expected === null ? [] : [`expected  ${expected}`])];
  return [
    `${paint(style, kind)}  ${paint('bold', printable(name))}`,
    ...[...lines, `to fix    ${fix}`].map((line) => `  ${printable(line)}`),
    '',
  ];
}
