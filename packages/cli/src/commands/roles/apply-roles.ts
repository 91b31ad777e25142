import type { Command } from 'commander';
import type { RoleFile } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { readJsonFile } from '../../runtime/json-file.js';
import type { ListFormat } from '../../runtime/output.js';
import type { Terminal } from '../../runtime/terminal.js';
import { COMPANY, companyOf } from './role-scope.js';

export function addApplyRoles(roles: Command, terminal: Terminal): void {
  withCommonOptions(
    roles
      .command('apply')
      .argument(
        '<file>',
        'JSON: { "roles": [{ "key", "name", "description", "modules", "permissions", "delegation" }] }',
      )
      .description('Define the roles of a file. Shows the differences; writes with --run only.')
      .option(...COMPANY)
      .option('--run', 'write the definitions'),
    {
      json: 'array of { key, change, gained, lost }; change is created, updated or unchanged',
      audited: true,
      quiet: 'print only the keys of roles that change',
      confirms: true,
      notes:
        'A change is effective at the next request of every member. Roles that the file does not name stay. Without a terminal: ' +
        'key, change, gained and lost keys, separated by tabs.',
      examples: [
        ['latchkey roles apply roles.json', 'what would change in the templates'],
        [
          'latchkey roles apply roles.json --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --run --yes',
          'write those of a company',
        ],
      ],
    },
  ).action(action(terminal, apply));
}

async function apply(call: Call<{ company?: string; run?: boolean }>): Promise<void> {
  const [path = ''] = call.args;
  const companyId = await companyOf(call);
  const file = (await readJsonFile(path)) as RoleFile;
  await withOperator(call, async ({ administration, operator, client }) => {
    const compared = await administration.roles.compare(companyId, file);
    const changed = compared.filter(({ change }) => change !== 'unchanged');
    const lines = (call.options.quiet === true ? changed : compared).map(toLine);
    const view = compared.map(({ input: _input, ...shown }) => shown);
    call.output.list({ items: lines, total: lines.length, view }, DIFFERENCES);
    if (changed.length === 0 || call.options.run !== true) {
      call.output.note(
        changed.length === 0 ? 'Nothing to change.' : 'Nothing was written. Add --run to write.',
      );
      return;
    }
    await call.prompts.confirm(
      `Write ${countOf(changed.length, 'role')}? Members have them at their next request.`,
    );
    for (const { key, input } of changed)
      await administration.roles.save(operator, { companyId, key }, input, client);
    call.output.note(`Wrote ${countOf(changed.length, 'role')}.`);
  });
}

interface Difference {
  key: string;
  change: string;
  gained: string;
  lost: string;
}

type Keys = Record<'modules' | 'permissions' | 'delegation', string[]>;

const textOf = ({ modules, permissions, delegation }: Keys): string =>
  [...modules, ...permissions, ...delegation].join(' ');

const toLine = ({
  key,
  change,
  gained,
  lost,
}: {
  key: string;
  change: string;
  gained: Keys;
  lost: Keys;
}): Difference => ({
  ...{ key, change, gained: textOf(gained), lost: textOf(lost) },
});

const DIFFERENCES: ListFormat<Difference> = {
  noun: 'roles',
  columns: [
    { title: 'KEY', text: ({ key }) => key },
    { title: 'CHANGE', text: ({ change }) => change },
    { title: 'GAINS', text: ({ gained }) => gained, whenNarrow: 'shrink' },
    {
      title: 'LOSES',
      text: ({ lost }) => lost,
      whenNarrow: 'shrink',
      style: ({ lost }) => (lost === '' ? undefined : 'red'),
    },
  ],
  fields: ['key', 'change', 'gained', 'lost'],
  id: ({ key }) => key,
};
