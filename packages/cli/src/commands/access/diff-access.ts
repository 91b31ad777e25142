import { Option, type Command } from 'commander';
import type { AccessPolicyMode } from '@latchkey/core';
import { ACCESS_POLICY_MODES } from '@latchkey/core/names';
import type { MemberPreviewView, PolicyPreviewView } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { companyId } from '../../runtime/company-id.js';
import { withAdministration } from '../../runtime/connection.js';
import { assertCoreService } from '../../runtime/core-service.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { renderTable, type Column } from '../../runtime/table.js';
import type { Style, Terminal } from '../../runtime/terminal.js';
import { losingOf, roleChangeOf, showRolePreview } from './role-difference.js';

interface DiffOptions {
  company?: string;
  from?: AccessPolicyMode;
  to: AccessPolicyMode;
  role?: string;
  file?: string;
  all?: boolean;
  failOnLoss?: boolean;
}

const EXAMPLES: [string, string][] = [
  [
    'latchkey access diff --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --from LEGACY --to ENFORCED',
    'before a company changes its mode',
  ],
  [
    'latchkey access diff --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --quiet --fail-on-loss',
    'in a script that changes modes',
  ],
  [
    'latchkey access diff --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --role ACCOUNTANT --file new.json',
    'before the definition of a role changes',
  ],
];

export function addDiffAccess(access: Command, terminal: Terminal): void {
  withCommonOptions(
    access
      .command('diff')
      .description(
        'Show which modules the members of a company would gain or lose under another access policy, or by a change of a role.',
      )
      .option('--company <id>', 'asked for on a terminal')
      .addOption(
        new Option('--from <mode>', 'defaults to the current mode of the company').choices(
          ACCESS_POLICY_MODES,
        ),
      )
      .addOption(
        new Option('--to <mode>', 'the mode to compare with')
          .choices(ACCESS_POLICY_MODES)
          .default('ENFORCED'),
      )
      .option('--role <key>', 'compare the members of this role with the definition of --file')
      .option(
        '--file <path>',
        'JSON of the new definition: { "name", "modules", "permissions", "delegation" }',
      )
      .option('--all', 'also show members without a change')
      .option('--fail-on-loss', 'exit with 1 if a member would lose a module'),
    {
      json:
        '{ companyId, currentMode, from, to, entitledModules, summary: { members, barred, unchanged, changed, gaining, ' +
        'losing }, members: [{ userId, email, role, before, after, gained, lost }] }; with --role the response of ' +
        'POST /internal/admin/companies/{companyId}/roles/{key}/preview',
      quiet: 'print only the ids of the users',
      notes:
        'Changes nothing: the mode of a company is set in the core service. Compares active members, newest first; ' +
        'a member who may not sign in is barred and has no modules in either mode. Permissions and delegation are the ' +
        'same in every mode. Without a terminal: user id, email, role, lost and gained modules, separated by tabs.',
      examples: EXAMPLES,
    },
  ).action(action(terminal, diff));
}

async function diff(call: Call<DiffOptions>): Promise<void> {
  const { from, to, all: includeUnchanged = false, failOnLoss = false } = call.options;
  const company = await companyId(call.options.company, '--company <id>', call.prompts);
  const change = await roleChangeOf(call.options);
  await withAdministration(call, async ({ administration, settings }) => {
    assertCoreService(settings);
    if (change) {
      const ofRole = await administration.rolePreview.of({ ...change, companyId: company }, change.input);
      showRolePreview(call, ofRole, { includeUnchanged });
      if (failOnLoss) assertNoLoss({ companyId: company, summary: { losing: losingOf(ofRole) } });
      return;
    }
    const preview = await call.progress.during('Comparing members', (bar) =>
      administration.policyPreview.of(
        company,
        { from, to },
        { includeUnchanged, onProgress: (done, total) => bar.at(done, total) },
      ),
    );
    show(call, preview);
    if (failOnLoss) assertNoLoss(preview);
  });
}

interface DiffLine extends Pick<MemberPreviewView, 'userId' | 'email' | 'role'> {
  lost: string;
  gained: string;
}

function show({ output }: Call, preview: PolicyPreviewView): void {
  const items = preview.members.map(({ userId, email, role, lost, gained }) => ({
    userId,
    email,
    role,
    lost: lost.join(' '),
    gained: gained.join(' '),
  }));
  output.report<DiffLine>({
    view: preview,
    items,
    fields: ['userId', 'email', 'role', 'lost', 'gained'],
    id: ({ userId }) => userId,
    forPeople: (space) => [
      ...summaryOf(preview),
      ...(items.length === 0 ? [] : ['', ...renderTable(items, COLUMNS, space)]),
    ],
  });
}

const COLUMNS: Column<DiffLine>[] = [
  { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
  { title: 'ROLE', text: ({ role }) => role, whenNarrow: 'drop' },
  { title: 'LOSES', text: ({ lost }) => lost, whenNarrow: 'shrink', style: lossStyle },
  { title: 'GAINS', text: ({ gained }) => gained, whenNarrow: 'shrink' },
];

function lossStyle({ lost }: DiffLine): Style | undefined {
  return lost === '' ? undefined : 'red';
}

function summaryOf({ companyId: company, currentMode, from, to, summary }: PolicyPreviewView): string[] {
  const { members, changed, unchanged, losing, gaining, barred } = summary;
  const notSigningIn = barred === 0 ? '' : ` (${barred} may not sign in)`;
  return [
    `${company} is under ${currentMode}. From ${from} to ${to}, of ${countOf(members, 'active member')}${notSigningIn}:`,
    `${unchanged} unchanged, ${changed} changed: ${losing} would lose modules, ${gaining} would gain some.`,
  ];
}

function assertNoLoss({
  companyId: company,
  summary: { losing },
}: {
  companyId: string;
  summary: Pick<PolicyPreviewView['summary'], 'losing'>;
}): void {
  if (losing === 0) return;
  throw new CommandError(
    EXIT.failed,
    losing === 1 ? '1 member would lose modules.' : `${losing} members would lose modules.`,
    `To see why: latchkey access explain <user> --company ${company}`,
  );
}
