import type { Command } from 'commander';
import type { MachineUserView, Settings } from '@latchkey/core';
import type { BootstrapOutcome } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator, type OperatorSession } from '../../runtime/connection.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import {
  passwordRuleFor,
  readPassword,
  readPerson,
  withPersonOptions,
  type PersonOptions,
} from '../../runtime/person-options.js';
import { shellWord } from '../../runtime/shell-word.js';
import type { Terminal } from '../../runtime/terminal.js';
import { statusOf, USER_JSON } from '../../runtime/user-status.js';

export function addBootstrapCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('bootstrap')
    .description('Create the first superadmin of a new installation.');
  withCommonOptions(withPersonOptions(command), {
    json: USER_JSON,
    audited: true,
    quiet: 'print only the id',
    notes:
      'Does nothing if there is an active superadmin, even if run concurrently. On a terminal, it asks for the ' +
      'password with a hidden prompt. If the email belongs to a user, it asks whether to promote ' +
      'that user; without a terminal it exits with 1.',
    examples: [
      ['latchkey bootstrap', 'asks for email, name and password'],
      ['pass show ada | latchkey bootstrap --email ada@example.com --password-stdin', 'in a setup script'],
    ],
  }).action(action(terminal, bootstrap));
}

async function bootstrap(call: Call<PersonOptions>): Promise<void> {
  if (call.options.email === undefined) call.prompts.assertCanAsk('--email <address>');
  await withOperator(call, async (session) => {
    const { administration, operator, client } = session;
    const existing = await administration.bootstrap.superadmin();
    if (existing) throw thereIsOne(existing);
    const { email, fullName } = await readPerson(call, { globalRole: 'NONE' });
    const [known] = await administration.users.findByPrefix(email, 1);
    if (known) {
      await promote(call, session, known);
      return;
    }
    const input = {
      email,
      fullName,
      password: await readPassword(call, passwordRuleFor(administration, email)),
    };
    const view = made(await administration.bootstrap.create(operator, input, client));
    const hasPassword = input.password !== undefined;
    report(call, view, { done: `Created the superadmin ${view.email} (${view.id}).`, hasPassword, session });
  });
}

async function promote(
  call: Call,
  session: OperatorSession,
  { id, email, ...user }: MachineUserView,
): Promise<void> {
  const { administration, operator, client } = session;
  if (!call.prompts.canAsk) throw emailIsTaken(email);
  await call.prompts.confirm(
    `${email} is already a user (${statusOf(user)}). Make them the superadmin, approved and active? They sign in with ` +
      'their current password: make sure that the account is theirs. Current access tokens stop working.',
  );
  const view = made(await administration.bootstrap.promote(operator, id, client));
  report(call, view, { done: `${email} is now the superadmin.`, hasPassword: true, session });
}

function made({ superadmin, isNew }: BootstrapOutcome): MachineUserView {
  if (!isNew) throw thereIsOne(superadmin);
  return superadmin;
}

const thereIsOne = ({ email }: MachineUserView): CommandError =>
  new CommandError(
    EXIT.failed,
    `There is already an active superadmin, ${email}. Nothing was changed.`,
    'To add another one: latchkey users create --role PLATFORM_SUPERADMIN, or latchkey users set-role',
  );

function emailIsTaken(email: string): CommandError {
  const user = shellWord(email);
  return new CommandError(
    EXIT.failed,
    `${email} is already a user. Nothing was changed.`,
    `To promote them: latchkey users approve ${user} && latchkey users set-role ${user} --role PLATFORM_SUPERADMIN --yes`,
  );
}

function report(
  { output }: Call,
  view: MachineUserView,
  { done, hasPassword, session }: { done: string; hasPassword: boolean; session: OperatorSession },
): void {
  output.answer({ view, text: done, id: view.id });
  if (!hasPassword)
    output.note(`Before they can sign in: latchkey users set-password ${shellWord(view.email)}`);
  output.note(
    `Next, start the service if it is not running (npm start), and open ${session.settings.http.baseUrl}${nextPath(session.settings)}`,
  );
}

const nextPath = ({ console: staffConsole }: Settings): string =>
  staffConsole.enabled ? '/console' : '/login';
