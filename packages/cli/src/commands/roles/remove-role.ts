import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import type { Terminal } from '../../runtime/terminal.js';
import { COMPANY, companyOf } from './role-scope.js';

export function addRemoveRole(roles: Command, terminal: Terminal): void {
  withCommonOptions(
    roles
      .command('remove')
      .argument('<key>', 'key of the role, such as ACCOUNTANT')
      .description('Remove the definition of a role.')
      .option(...COMPANY)
      .option('--move-to <key>', 'the role that members and open invitations get'),
    {
      json: '{ moved }: the number of members who got the other role',
      audited: true,
      quiet: 'print only the number of members who got the other role',
      confirms: true,
      notes:
        'Members of a role of a company get the template of the same key. Without one, the role must have no members, unless ' +
        '--move-to names another.',
      examples: [
        [
          'latchkey roles remove ACCOUNTANT --company 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --move-to MEMBER',
          'accountants become ordinary members',
        ],
        ['latchkey roles remove READER --yes', 'a template that is not used'],
      ],
    },
  ).action(action(terminal, remove));
}

async function remove(call: Call<{ company?: string; moveTo?: string }>): Promise<void> {
  const [key = ''] = call.args;
  const { moveTo } = call.options;
  const companyId = await companyOf(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    await call.prompts.confirm(`Remove the definition of ${key}? Its members lose it at their next request.`);
    const view = await administration.roles.remove(operator, { companyId, key }, { moveTo }, client);
    const moved = moveTo === undefined ? '' : `; ${countOf(view.moved, 'member')} got ${moveTo}`;
    call.output.answer({ view, text: `Removed the definition of ${key}${moved}.`, id: String(view.moved) });
  });
}
