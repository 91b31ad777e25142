import type { Command } from 'commander';
import type { MachineUserView } from '@latchkey/core';
import type { Administration, PasswordSet } from '@latchkey/operations';
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
import { passwordRuleFor } from '../../runtime/person-options.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addSetPassword(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('set-password')
      .argument('[user]', USER_MEANING)
      .description('Set a new password for a user. All their sessions end at once.')
      .option('--password-stdin', 'read the password from standard input')
      .option('--remove-passkeys', 'also remove their passkeys'),
    {
      json: '{ user, endedSessions: number, removedPasskeys: number }, the user as GET /internal/admin/users/{id} returns it',
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'On a terminal, a hidden prompt asks for the password twice; it is never an argument. Current access tokens and reset links ' +
        'stop working. Passkeys are kept by default: after a break-in, remove them, since one may be ' +
        "the intruder's. If the service sends mail, the user is notified. A user who may not sign in still may not.",
      examples: [
        ['latchkey users set-password ada@example.com', 'asks for the password'],
        [
          'pass show ada | latchkey users set-password ada@example.com --password-stdin --yes',
          'with a stored password, in a script',
        ],
        ['latchkey users set-password ada@example.com --remove-passkeys', 'after a break-in'],
      ],
    },
  ).action(action(terminal, setPassword));
}

interface Options {
  passwordStdin?: boolean;
  removePasskeys?: boolean;
}

async function setPassword(call: Call<Options>): Promise<void> {
  const { prompts, options } = call;
  const { removePasskeys = false } = options;
  const named = await userArgument(call);
  const piped = await readPipedPassword(call);
  await withOperator(call, async ({ administration, operator, client }) => {
    const user = await findUser(administration, named, prompts);
    await prompts.confirm(await questionFor(administration, user, removePasskeys));
    const password = piped ?? (await prompts.requiredPassword(passwordRuleFor(administration, user.email)));
    const input = { password, removePasskeys };
    const view = await administration.passwords.set(operator, user.id, input, client);
    call.output.answer({ view, text: outcome(view) });
  });
}

/** Reads a piped password; returns undefined if a terminal can be asked later. */
async function readPipedPassword({ options, prompts }: Call<Options>): Promise<string | undefined> {
  if (options.passwordStdin === true) return prompts.pipedPassword();
  prompts.assertCanAsk('--password-stdin');
  return undefined;
}

async function questionFor(
  administration: Administration,
  { id, email }: MachineUserView,
  removePasskeys: boolean,
): Promise<string> {
  const [sessions, passkeys] = await Promise.all([
    countSessions(administration, id),
    countPasskeys(administration, id),
  ]);
  return [
    `Set a new password for ${email}?`,
    ...(sessions.total > 0 ? [`${countOf(sessions, 'session')} will end at once.`] : []),
    ...(passkeys > 0
      ? [`${countOf(passkeys, 'passkey')} ${removePasskeys ? 'will be removed' : 'will stay'}.`]
      : []),
  ].join(' ');
}

function outcome({ user, endedSessions, removedPasskeys }: PasswordSet): string {
  const passkeys = removedPasskeys > 0 ? `, removed ${countOf(removedPasskeys, 'passkey')}` : '';
  return `${user.email} has a new password. Ended ${countOf(endedSessions, 'session')}${passkeys}.`;
}
