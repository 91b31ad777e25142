import type { Command } from 'commander';
import type { ResetFactors } from '@latchkey/core';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { countSessions, findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addResetFactors(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('reset-factors')
      .argument('[user]', USER_MEANING)
      .description('Remove the second factors of a user who has lost them. All their sessions end at once.')
      .option('--reason <text>', 'the reason, for the audit log'),
    {
      json: '{ status, removed: { totp, recoveryCodes, passkeys }, revoked: number }, as DELETE /internal/admin/users/{id}/factors returns it',
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'Identify the person first: afterwards the password alone signs them in, or sets up a new factor. Removes authenticator ' +
        'apps, recovery codes and passkeys. If the service sends mail, the user is notified.',
      examples: [
        ['latchkey users reset-factors ada@example.com', 'asks for the reason, shows the effect and asks'],
        [
          "latchkey users reset-factors ada@example.com --reason 'lost phone, video call' --yes",
          'without confirmation',
        ],
      ],
    },
  ).action(action(terminal, resetFactors));
}

async function resetFactors(call: Call<{ reason?: string }>): Promise<void> {
  const { prompts, options } = call;
  const named = await userArgument(call);
  const reason = options.reason ?? (await prompts.text('Why (for the audit log)?', '--reason <text>'));
  await withOperator(call, async ({ administration, operator, client }) => {
    const { id, email } = await findUser(administration, named, prompts);
    const sessions = await countSessions(administration, id);
    const effect = sessions.total > 0 ? ` ${countOf(sessions, 'session')} will end at once.` : '';
    await prompts.confirm(`Remove every second factor, recovery code and passkey of ${email}?${effect}`);
    const view = await administration.factors.reset(operator, id, reason, client);
    call.output.answer({ view, text: outcome(email, view) });
  });
}

function outcome(email: string, { removed, revoked }: ResetFactors): string {
  const { totp, recoveryCodes, passkeys } = removed;
  const parts = [
    countOf(totp, 'authenticator app'),
    countOf(recoveryCodes, 'recovery code'),
    countOf(passkeys, 'passkey'),
  ].join(', ');
  return `Removed from ${email}: ${parts}. Ended ${countOf(revoked, 'session')}.`;
}
