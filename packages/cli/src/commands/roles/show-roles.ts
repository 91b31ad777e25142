import { InvalidArgumentError, type Command } from 'commander';
import type { ListedRoleView, RoleView } from '@latchkey/core';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { moment, type Detail } from '../../runtime/details.js';
import type { ListFormat } from '../../runtime/output.js';
import type { Terminal } from '../../runtime/terminal.js';
import { COMPANY, companyOf } from './role-scope.js';

interface RolesOptions {
  company?: string;
  at?: string;
}

export function addShowRoles(roles: Command, terminal: Terminal): void {
  withCommonOptions(
    roles
      .command('list')
      .description('List the defined roles of a company, or the templates.')
      .option(...COMPANY),
    {
      json: 'array of roles, as GET /internal/admin/companies/{companyId}/roles returns them',
      quiet: 'print only the keys',
      notes:
        'A company has the templates that it does not replace, too. Without a terminal: key, name, template or company, modules, ' +
        'permissions, members and version, separated by tabs.',
      examples: [
        ['latchkey roles list', 'the templates'],
        [
          'latchkey roles list --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
          'those in effect in a company',
        ],
      ],
    },
  ).action(action(terminal, list));
  withCommonOptions(
    roles
      .command('show')
      .argument('<key>', 'key of the role, such as ACCOUNTANT')
      .description('Show the definition of a role, now or at an earlier time.')
      .option(...COMPANY)
      .option('--at <time>', 'a date or time: the definition in effect then', readTime),
    {
      json: 'the role, as GET /internal/admin/companies/{companyId}/roles lists it',
      quiet: 'print only the key',
      notes:
        'Earlier contents are kept for 400 days. Without a terminal: a label and its value in each line.',
      examples: [
        [
          'latchkey roles show ACCOUNTANT --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
          'what accountants have',
        ],
        ['latchkey roles show ACCOUNTANT --at 2026-11-01', 'what the template contained at that time'],
      ],
    },
  ).action(action(terminal, show));
}

async function list(call: Call<RolesOptions>): Promise<void> {
  const company = await companyOf(call);
  await withAdministration(call, async ({ administration }) => {
    const view = await administration.roles.list(company);
    call.output.list({ items: view.map(toLine), total: view.length, view }, ROLE_LIST);
  });
}

async function show(call: Call<RolesOptions>): Promise<void> {
  const [key = ''] = call.args;
  const companyId = await companyOf(call);
  await withAdministration(call, async ({ administration }) => {
    const view = await administration.roles.at({ companyId, key }, call.options.at);
    call.output.details({ view, details: detailsOf(view), id: view.key });
  });
}

interface RoleLine extends Pick<ListedRoleView, 'key' | 'name' | 'members' | 'version'> {
  kind: string;
  modules: string;
  permissions: string;
}

const toLine = ({
  key,
  name,
  members,
  version,
  isTemplate,
  modules,
  permissions,
}: ListedRoleView): RoleLine => ({
  ...{ key, name, members, version, kind: isTemplate ? 'template' : 'company' },
  modules: modules.join(' '),
  permissions: permissions.join(' '),
});

const ROLE_LIST: ListFormat<RoleLine> = {
  noun: 'roles',
  columns: [
    { title: 'KEY', text: ({ key }) => key },
    { title: 'NAME', text: ({ name }) => name, whenNarrow: 'drop' },
    { title: 'OF', text: ({ kind }) => kind },
    { title: 'MODULES', text: ({ modules }) => modules, whenNarrow: 'shrink' },
    { title: 'PERMISSIONS', text: ({ permissions }) => permissions, whenNarrow: 'shrink' },
    { title: 'MEMBERS', text: ({ members }) => (members === 1000 ? '1000+' : String(members)) },
  ],
  fields: ['key', 'name', 'kind', 'modules', 'permissions', 'members', 'version'],
  id: ({ key }) => key,
};

const detailsOf = (role: RoleView): Detail[] => [
  { label: 'key', text: role.key },
  { label: 'name', text: role.name },
  { label: 'description', text: role.description ?? '' },
  { label: 'company', text: role.companyId ?? 'all, as a template' },
  { label: 'modules', text: role.modules.join(' ') },
  { label: 'permissions', text: role.permissions.join(' ') },
  { label: 'manages users', text: role.delegation.canManageUsers ? 'yes' : 'no' },
  { label: 'buys add-ons', text: role.delegation.canBuyAddons ? 'yes' : 'no' },
  { label: 'hands on modules', text: role.delegation.grantableModules.join(' ') },
  { label: 'hands on permissions', text: role.delegation.grantablePermissions.join(' ') },
  { label: 'version', text: String(role.version) },
  moment('changed', role.updatedAt),
];

function readTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('It must be a date, such as 2026-11-01.');
  return time.toISOString();
}
