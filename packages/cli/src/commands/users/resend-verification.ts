import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import type { Terminal } from '../../runtime/terminal.js';
import { USER_JSON } from '../../runtime/user-status.js';

export function addResendVerification(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('resend-verification')
      .argument('[user]', USER_MEANING)
      .description('Send the mail with the link that proves the mailbox again.')
      .option('-y, --yes', 'changes nothing here: this command does not ask'),
    {
      json: USER_JSON,
      audited: true,
      quiet: 'print nothing',
      notes:
        'The service sends the mail, which may take some seconds. Links that were sent before stay valid for 24 hours. The limit ' +
        'for users, three mails an hour, does not apply. For a user who has proved the mailbox, and for one who is rejected or ' +
        'deactivated, the command fails.',
      examples: [
        ['latchkey users resend-verification ada@example.com', 'the mail was lost'],
        ['latchkey users list --status PENDING', 'shows whose mailbox is not proved'],
      ],
    },
  ).action(action(terminal, resend));
}

async function resend(call: Call): Promise<void> {
  const named = await userArgument(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id } = await findUser(administration, named, call.prompts);
    const view = await administration.emailVerification.resend(operator, id, client);
    call.output.answer({ view, text: `The mail to ${view.email} is queued.` });
  });
}
