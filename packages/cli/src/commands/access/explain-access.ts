import type { Command } from 'commander';
import type { MachineUserView } from '@latchkey/core';
import type { AccessReport } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { companyId } from '../../runtime/company-id.js';
import { withAdministration } from '../../runtime/connection.js';
import { assertCoreService } from '../../runtime/core-service.js';
import { findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { hanging } from '../../runtime/hanging.js';
import { displayWidth, printable } from '../../runtime/printable.js';
import type { TableSpace } from '../../runtime/table.js';
import type { Terminal } from '../../runtime/terminal.js';
import { accessLines, roleText, type AccessLine } from './access-reasons.js';

export function addExplainAccess(access: Command, terminal: Terminal): void {
  withCommonOptions(
    access
      .command('explain')
      .argument('[user]', USER_MEANING)
      .description('Explain why a user has or lacks each module and permission in a company.')
      .option('--company <id>', 'asked for on a terminal'),
    {
      json: 'the response of GET /internal/admin/users/{id}/access?explain=true',
      quiet: 'print only the modules that the user may use',
      notes:
        'Shows the current access, with the entitlements of the core service. Grants and rules without effect are ' +
        'listed, too. Without a terminal: kind, key, yes or no, reason and the reason in words, ' +
        'separated by tabs.',
      examples: [
        [
          'latchkey access explain ada@example.com --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
          'why Ada cannot open the invoices',
        ],
        [
          'latchkey access explain ada@example.com --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --json',
          'for a program',
        ],
      ],
    },
  ).action(action(terminal, explain));
}

async function explain(call: Call<{ company?: string }>): Promise<void> {
  const named = await userArgument(call);
  const company = await companyId(call.options.company, '--company <id>', call.prompts);
  await withAdministration(call, async ({ administration, settings }) => {
    assertCoreService(settings);
    const user = await findUser(administration, named, call.prompts);
    const report = await administration.access.reportOn(user.id, company);
    const lines = accessLines(report);
    call.output.report({
      view: report.access,
      items: call.options.quiet === true ? lines.filter(isModuleHeld) : lines,
      fields: ['kind', 'key', 'verdict', 'reason', 'why'],
      id: ({ key }) => key,
      forPeople: (space) => [...introduction(user, report), ...SECTIONS.flatMap(sectionIn(lines, space))],
    });
  });
}

const isModuleHeld = ({ kind, verdict }: AccessLine): boolean => kind === 'module' && verdict === 'yes';

function introduction({ email }: MachineUserView, report: AccessReport): string[] {
  const { companyId: company, accessPolicyMode, role, globalRole } = report.access.metadata;
  const membership = role === null ? 'not a member' : roleText(report);
  const rank = globalRole === 'NONE' ? '' : `, ${globalRole}`;
  return [`${email} in ${company}: ${membership}${rank}; access policy ${accessPolicyMode}`];
}

interface Section {
  heading: string;
  kinds: AccessLine['kind'][];
}

const SECTIONS: Section[] = [
  { heading: 'Modules', kinds: ['module'] },
  { heading: 'Permissions', kinds: ['permission'] },
  { heading: 'May grant', kinds: ['delegation', 'grantable module', 'grantable permission'] },
];

const sectionIn =
  (lines: readonly AccessLine[], space: TableSpace) =>
  ({ heading, kinds }: Section): string[] => {
    const own = lines.filter(({ kind }) => kinds.includes(kind));
    const held = own.filter(({ verdict }) => verdict === 'yes').length;
    const title = space.paint('bold', `${heading}: ${held} of ${own.length}`);
    const width = Math.max(0, ...own.map((line) => displayWidth(labelOf(line))));
    return ['', title, ...own.flatMap((line) => caseLines(line, width, space))];
  };

function caseLines(line: AccessLine, width: number, { columns, paint }: TableSpace): string[] {
  const label = labelOf(line);
  const padded = label + ' '.repeat(width - displayWidth(label));
  const [first = '', ...more] = hanging(
    `  ${line.verdict.padEnd(3)}  ${padded}  `,
    printable(line.why),
    columns,
  );
  const painted = line.verdict === 'yes' ? first : first.replace('no', paint('red', 'no'));
  return [painted, ...more];
}

/** Returns the label of a line; grantable keys are marked by their kind. */
function labelOf({ kind, key }: AccessLine): string {
  const prefix =
    kind === 'grantable module' ? 'module ' : kind === 'grantable permission' ? 'permission ' : '';
  return prefix + printable(key);
}
