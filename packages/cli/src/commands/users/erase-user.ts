import type { Command } from 'commander';
import type { MachineUserView } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import {
  countPasskeys,
  countSessions,
  findUser,
  userArgument,
  USER_MEANING,
} from '../../runtime/find-user.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addEraseUser(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('erase')
      .argument('[user]', USER_MEANING)
      .description('Erase the personal data of a user for good. All their sessions end at once.')
      .option('--reason <text>', 'the reason, for the audit log; it is kept, so do not name the person'),
    {
      json: '{ status, id, erasedAt }, as DELETE /internal/admin/users/{id}/personal-data returns it',
      audited: true,
      quiet: 'print only the id',
      confirms: true,
      notes:
        'Cannot be undone. Overwrites profile, sign-in, memberships, invitations and mails, and removes the traces in ' +
        'sessions and the audit log. The id stays as an inactive tombstone; the address is free again. Backups and logs ' +
        'are not changed. On a terminal, the email must be typed to confirm. A repeated run changes nothing.',
      examples: [
        ['latchkey users erase ada@example.com', 'asks for the reason, shows what is lost and asks'],
        [
          "latchkey users erase 01981f3e-5c1a-7b --reason 'request 4711' --yes",
          'by the first characters of the id, without confirmation',
        ],
      ],
    },
  ).action(action(terminal, eraseUser));
}

async function eraseUser(call: Call<{ reason?: string }>): Promise<void> {
  const { prompts, options } = call;
  const named = await userArgument(call);
  const reason =
    options.reason ??
    (await prompts.text('Why (for the audit log, without the name of the person)?', '--reason <text>'));
  await withOperator(call, async ({ administration, operator, client }) => {
    const user = await findUser(administration, named, prompts);
    if (user.erasedAt === undefined) {
      await prompts.confirmTyped(await questionFor(administration, user), user.email);
    }
    const view = await administration.erasure.erase(operator, user.id, reason, client);
    const text =
      user.erasedAt === undefined
        ? `Erased the personal data of ${user.email}. The id ${view.id} stays as a tombstone.`
        : `The personal data of ${view.id} was erased before, at ${view.erasedAt}.`;
    call.output.answer({ view, text, id: view.id });
  });
}

/** Names what will be lost. */
async function questionFor(administration: Administration, user: MachineUserView): Promise<string> {
  const [sessions, passkeys, context] = await Promise.all([
    countSessions(administration, user.id),
    countPasskeys(administration, user.id),
    administration.users.context(user.id),
  ]);
  const losses = [
    countOf(context.companyMemberships.length, 'company membership'),
    countOf(passkeys, 'passkey'),
    countOf(sessions, 'active session'),
  ].join(', ');
  return `Erase ${user.email} for good: profile, sign-in, mails, invitations, ${losses}?`;
}
