import type { Command } from 'commander';
import type { MachineUserView, UserFilter, UserPatch } from '@latchkey/core';
import type { Administration } from '@latchkey/core/administration';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, type CommonHelp } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { countSessions, findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { shellWord } from '../../runtime/shell-word.js';
import type { Terminal } from '../../runtime/terminal.js';
import { statusOf, USER_JSON } from '../../runtime/user-status.js';

/** A change of whether a user may sign in: how it is announced and reported. */
interface Change {
  name: string;
  description: string;
  patch: UserPatch;
  /** Whom to offer where nobody was named; elsewhere it is asked for. */
  offers?: { filter: UserFilter; noneIs: string };
  /** Asked before it is done, with what will end; nothing is asked unless given. */
  question?: (email: string) => string;
  done: (email: string) => string;
  help: Pick<CommonHelp, 'notes' | 'examples'>;
}

const APPROVE: Change = {
  name: 'approve',
  description: 'Approve a user and make them active, so that they can sign in.',
  patch: { approvalStatus: 'APPROVED', isActive: true },
  offers: { filter: { approvalStatus: 'PENDING' }, noneIs: 'Nobody waits for approval.' },
  done: (email) => `${email} is approved and active.`,
  help: {
    notes: 'This also lets a rejected or deactivated user in again.',
    examples: [
      ['latchkey users approve ada@example.com', 'by email; an id does as well'],
      ['latchkey users approve ada@', 'by the prefix of the email, when no other begins so'],
    ],
  },
};

const REJECT: Change = {
  name: 'reject',
  description: 'Refuse a user: they cannot sign in, and their sessions end at once.',
  patch: { approvalStatus: 'REJECTED' },
  question: (email) => `Reject ${email}?`,
  done: (email) => `${email} is rejected.`,
  help: {
    notes: 'To take it back: latchkey users approve',
    examples: [
      ['latchkey users reject ada@example.com', 'asks first and says what will end'],
      ['latchkey users reject ada@example.com --yes', 'without being asked'],
    ],
  },
};

const DEACTIVATE: Change = {
  name: 'deactivate',
  description: 'Shut a user out: they cannot sign in, and their sessions end at once.',
  patch: { isActive: false },
  question: (email) => `Deactivate ${email}?`,
  done: (email) => `${email} is deactivated.`,
  help: {
    notes: 'Nothing is deleted. To take it back: latchkey users reactivate',
    examples: [
      ['latchkey users deactivate ada@example.com', 'asks first and says what will end'],
      ['latchkey users deactivate ada@example.com --yes', 'without being asked'],
    ],
  },
};

const REACTIVATE: Change = {
  name: 'reactivate',
  description: 'Let a deactivated user in again.',
  patch: { isActive: true },
  done: (email) => `${email} is active again.`,
  help: {
    notes:
      'Their approval stays as it is: who is pending or rejected still cannot sign in. latchkey users approve ' +
      'changes both.',
    examples: [
      ['latchkey users reactivate ada@example.com', 'after a leave'],
      ['latchkey users list --inactive', 'whom it could be about'],
    ],
  },
};

export function addChangeUserCommands(users: Command, terminal: Terminal): void {
  for (const change of [APPROVE, REJECT, DEACTIVATE, REACTIVATE]) {
    const { name, description, question, help } = change;
    const command = users.command(name).argument('[user]', USER_MEANING).description(description);
    if (!question) command.option('-y, --yes', 'changes nothing here: this command does not ask');
    withCommonOptions(command, {
      json: USER_JSON,
      audited: true,
      quiet: 'print nothing',
      confirms: question !== undefined,
      ...help,
    }).action(action(terminal, (call) => apply(call, change)));
  }
}

async function apply(call: Call, { patch, offers, question, done }: Change): Promise<void> {
  const named = offers === undefined ? await userArgument(call) : call.args[0];
  if (named === undefined) call.prompts.assertCanAsk('<user>');
  await withOperator(call, async ({ administration, operator, client }) => {
    const user =
      named === undefined
        ? await chosen(call, administration, offers?.filter ?? {})
        : await findUser(administration, named, call.prompts);
    if (user === undefined) {
      call.output.note(offers?.noneIs ?? '');
      return;
    }
    if (question) {
      const ending = consequence(await countSessions(administration, user.id));
      await call.prompts.confirm(`${question(user.email)} ${ending}`);
    }
    const view = await administration.userAdministration.patch(operator, user.id, patch, client);
    call.output.answer({ view, text: done(view.email) });
    if (!question) noteWhatKeepsOut(call, view);
  });
}

/** As many as fit on a screen to choose from. */
const MOST_CHOICES = 20;

/** One of those it may be about; undefined when there is nobody. */
async function chosen(
  { prompts }: Call,
  { users }: Administration,
  filter: UserFilter,
): Promise<MachineUserView | undefined> {
  const { items, total } = await users.list(filter, { limit: MOST_CHOICES, offset: 0 });
  if (items.length === 0) return undefined;
  const choices = items.map((user) => ({ value: user, name: choiceText(user) }));
  const more = total > items.length ? ` (the newest ${items.length} of ${total})` : '';
  return prompts.choice(`Which user${more}?`, choices, '<user>');
}

const choiceText = ({ email, fullName, createdAt }: MachineUserView): string =>
  printable([email, fullName ?? '', relativeTime(createdAt)].filter((text) => text !== '').join('  '));

function consequence(sessions: number): string {
  if (sessions === 0) return 'They cannot sign in any more.';
  return `They cannot sign in any more, and ${countOf(sessions, 'session')} will end at once.`;
}

/** Being active is not all it takes. */
function noteWhatKeepsOut({ output }: Call, user: MachineUserView): void {
  const status = statusOf(user);
  if (status === 'active') return;
  const command = `latchkey users approve ${shellWord(user.email)}`;
  output.note(`They still cannot sign in (${status}). To let them: ${command}`);
}
