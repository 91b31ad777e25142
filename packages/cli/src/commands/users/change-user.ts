import type { Command } from 'commander';
import type { ListTotal, MachineUserView, UserFilter, UserPatch } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, type CommonHelp } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { countOf, totalText } from '../../runtime/count-words.js';
import { countSessions, findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { shellWord } from '../../runtime/shell-word.js';
import type { Terminal } from '../../runtime/terminal.js';
import { statusOf, USER_JSON } from '../../runtime/user-status.js';

/** A command that changes whether a user may sign in. */
interface Change {
  name: string;
  description: string;
  patch: UserPatch;
  /** The users to choose from if none is named; without it, the command asks for one. */
  offers?: { filter: UserFilter; noneIs: string };
  /** The question before the change. Without it, the command does not ask. */
  question?: (email: string) => string;
  done: (email: string) => string;
  help: Pick<CommonHelp, 'notes' | 'examples'>;
}

const APPROVE: Change = {
  name: 'approve',
  description: 'Approve a user and make them active, so that they can sign in.',
  patch: { approvalStatus: 'APPROVED', isActive: true },
  offers: { filter: { approvalStatus: 'PENDING' }, noneIs: 'No user is waiting for approval.' },
  done: (email) => `${email} is approved and active.`,
  help: {
    notes: 'Also admits a rejected or deactivated user again.',
    examples: [
      ['latchkey users approve ada@example.com', 'by email or id'],
      ['latchkey users approve ada@', 'by the first characters of the email, if they match one user'],
    ],
  },
};

const REJECT: Change = {
  name: 'reject',
  description: 'Reject a user: they cannot sign in, and their sessions end at once.',
  patch: { approvalStatus: 'REJECTED' },
  question: (email) => `Reject ${email}?`,
  done: (email) => `${email} is rejected.`,
  help: {
    notes: 'To undo it: latchkey users approve',
    examples: [
      ['latchkey users reject ada@example.com', 'shows the effect and asks'],
      ['latchkey users reject ada@example.com --yes', 'without confirmation'],
    ],
  },
};

const DEACTIVATE: Change = {
  name: 'deactivate',
  description: 'Deactivate a user: they cannot sign in, and their sessions end at once.',
  patch: { isActive: false },
  question: (email) => `Deactivate ${email}?`,
  done: (email) => `${email} is deactivated.`,
  help: {
    notes: 'Nothing is deleted. To undo it: latchkey users reactivate',
    examples: [
      ['latchkey users deactivate ada@example.com', 'shows the effect and asks'],
      ['latchkey users deactivate ada@example.com --yes', 'without confirmation'],
    ],
  },
};

const REACTIVATE: Change = {
  name: 'reactivate',
  description: 'Reactivate a deactivated user.',
  patch: { isActive: true },
  done: (email) => `${email} is active again.`,
  help: {
    notes:
      'The approval does not change: a pending or rejected user still cannot sign in. latchkey users approve ' +
      'changes both.',
    examples: [
      ['latchkey users reactivate ada@example.com', 'after a leave'],
      ['latchkey users list --inactive', 'the deactivated users'],
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
    const view = await administration.users.patch(operator, user.id, patch, client);
    call.output.answer({ view, text: done(view.email) });
    if (!question) noteWhatKeepsOut(call, view);
  });
}

/** The choices that fit on a screen. */
const MOST_CHOICES = 20;

/** Asks for one of the offered users; returns undefined if there is none. */
async function chosen(
  { prompts }: Call,
  { users }: Administration,
  filter: UserFilter,
): Promise<MachineUserView | undefined> {
  const { items, ...count } = await users.list(filter, { limit: MOST_CHOICES, offset: 0 });
  if (items.length === 0) return undefined;
  const choices = items.map((user) => ({ value: user, name: choiceText(user) }));
  const more = count.total > items.length ? ` (the newest ${items.length} of ${totalText(count)})` : '';
  return prompts.choice(`Which user${more}?`, choices, '<user>');
}

const choiceText = ({ email, fullName, createdAt }: MachineUserView): string =>
  printable([email, fullName ?? '', relativeTime(createdAt)].filter((text) => text !== '').join('  '));

function consequence(sessions: ListTotal): string {
  if (sessions.total === 0) return 'They cannot sign in any more.';
  return `They cannot sign in any more, and ${countOf(sessions, 'session')} will end at once.`;
}

/** Prints a note if a reactivated user still cannot sign in. */
function noteWhatKeepsOut({ output }: Call, user: MachineUserView): void {
  const status = statusOf(user);
  if (status === 'active') return;
  const command = `latchkey users approve ${shellWord(user.email)}`;
  output.note(`They still cannot sign in (${status}). To allow it: ${command}`);
}
