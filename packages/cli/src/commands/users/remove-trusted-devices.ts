import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addRemoveTrustedDevices(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('remove-trusted-devices')
      .argument('[user]', USER_MEANING)
      .description('Remove the trusted devices of a user, so that each asks for a second factor again.'),
    {
      json: '{ status, removed: number }, as DELETE /internal/admin/users/{id}/trusted-devices returns it',
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'Sessions stay active; latchkey sessions revoke-all ends them, and the trust with them. It works while ' +
        'TRUSTED_DEVICE_DAYS is 0, too.',
      examples: [
        ['latchkey users remove-trusted-devices ada@example.com', 'shows the effect and asks'],
        ['latchkey users remove-trusted-devices ada@example.com --yes', 'without confirmation'],
      ],
    },
  ).action(action(terminal, remove));
}

async function remove(call: Call): Promise<void> {
  const { prompts } = call;
  const named = await userArgument(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, email } = await findUser(administration, named, prompts);
    const devices = await administration.factors.trustedDevicesOf(id);
    await prompts.confirm(`Remove ${countText(devices.length)} of ${email}?`);
    const view = await administration.factors.removeTrustedDevices(operator, id, client);
    call.output.answer({ view, text: `Removed ${countText(view.removed)} of ${email}.` });
  });
}

const countText = (count: number): string => countOf(count, 'trusted device');
