import type { Command } from 'commander';
import type { MemberView, Page, PageRequest } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { companyId } from '../../runtime/company-id.js';
import { withAdministration } from '../../runtime/connection.js';
import { assertCoreService } from '../../runtime/core-service.js';
import { CommandError } from '../../runtime/failure.js';
import type { Terminal } from '../../runtime/terminal.js';
import { MEMBER_LIST, toMemberLine } from './member-list.js';

export function addCompaniesCommands(program: Command, terminal: Terminal): void {
  const companies = program
    .command('companies')
    .helpCommand(false)
    .description('List the members of a company. To change them, use the HTTP routes for memberships.');
  const command = companies
    .command('members')
    .argument('[company]', 'id of the company; asked for on a terminal')
    .description('List the memberships of a company, active or not, newest first.')
    .option('--module <key>', 'only members who may use this module now; asks the core service');
  withCommonOptions(withPageOptions(command), {
    json: 'array of memberships, as GET /internal/admin/companies/{companyId}/memberships returns them',
    quiet: 'print only the ids of the users',
    notes:
      'Modules and permissions are those of the grant list. The effective ones depend on the company, see ' +
      'latchkey access explain. Without a terminal: user id, email, role, status, modules, permissions, delegation, ' +
      'business units, finance role, approval limit and primary finance admin, separated by tabs.',
    examples: [
      ['latchkey companies members 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', 'all members'],
      [
        'latchkey companies members 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --module invoices --quiet',
        'the ids of the members who may use a module',
      ],
    ],
  }).action(action(terminal, listMembers));
}

async function listMembers(call: Call<PageOptions & { module?: string }>): Promise<void> {
  const { module: moduleKey, limit, offset } = call.options;
  const company = await companyId(call.args[0], '<company>', call.prompts);
  if (moduleKey !== undefined) await assertModuleKey(moduleKey);
  await withAdministration(call, async ({ administration, settings }) => {
    if (moduleKey !== undefined) assertCoreService(settings);
    const page = { limit, offset };
    const { items, ...count } = await call.progress.during('Reading members', () =>
      moduleKey === undefined
        ? administration.members.companyMembers(company, page)
        : holdersOf(moduleKey, { administration, company, page }),
    );
    call.output.list({ items: items.map(toMemberLine), ...count, view: items }, MEMBER_LIST);
  });
}

/** The limit of the machine route; members with a module are searched among all members. */
const ALL = { limit: 100_000, offset: 0 };

async function holdersOf(
  moduleKey: string,
  where: { administration: Administration; company: string; page: PageRequest },
): Promise<Page<MemberView>> {
  const { administration, company, page } = where;
  const holders = await administration.access.holderFilter(company, moduleKey);
  const { slices } = await administration.members.companyMembersInSlices(company, ALL, holders);
  const items: MemberView[] = [];
  let total = 0;
  for await (const slice of slices) {
    const [start, end] = [page.offset - total, page.offset + page.limit - total];
    items.push(...slice.slice(Math.max(0, start), Math.max(0, end)));
    total += slice.length;
  }
  return { items, total, isTotalExact: true };
}

async function assertModuleKey(text: string): Promise<void> {
  const { keyInput } = await import('@latchkey/core/schemas');
  if (!keyInput.safeParse(text).success) throw CommandError.usage(`"${text}" is not a module key.`);
}
