import { Option, type Command } from 'commander';
import type { ApprovalStatus, GlobalRole, UserPatch } from '@latchkey/core';
import { action, type Call } from '../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../runtime/command-options.js';
import { withAdministration } from '../runtime/connection.js';
import { countSessions, findUser, sessionsInWords, userArgument } from '../runtime/find-user.js';
import type { Terminal } from '../runtime/terminal.js';
import { createUser } from './create-user.js';
import { USER_LIST } from './user-list.js';

/** Written out here because the help must not load the core; a test holds them against its lists. */
export const ROLES = [
  'NONE',
  'PLATFORM_MODERATOR',
  'PLATFORM_ADMIN',
  'PLATFORM_SUPERADMIN',
] as const satisfies GlobalRole[];
export const STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const satisfies ApprovalStatus[];

const USER = '[user]';
const USER_MEANING = 'id or email; asked for on a terminal';
const USER_JSON = 'the user, as GET /internal/admin/users/{id} answers it';

export function addUsersCommands(program: Command, terminal: Terminal): void {
  const users = program
    .command('users')
    .helpCommand(false)
    .description('Create, list, approve and deactivate users.');
  addCreate(users, terminal);
  addList(users, terminal);
  addApprove(users, terminal);
  addReject(users, terminal);
  addDeactivate(users, terminal);
}

function addCreate(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('create')
      .description('Add a user who is approved and active at once.')
      .option('--email <address>', 'asked for on a terminal')
      .option('--name <name>', 'full name')
      .addOption(new Option('--role <role>', 'role on the platform').choices(ROLES).default('NONE'))
      .option('--password-stdin', 'read the password from standard input')
      .option('--no-password', 'set no password and ask for none'),
    {
      json: USER_JSON,
      quiet: 'print the id only',
      notes:
        'On a terminal the password is asked for, unseen. It is never an argument: those can be read by others on ' +
        'the machine. Without a password the user cannot sign in until they reset it.',
      examples: [
        [
          'latchkey users create --email ada@example.com --role PLATFORM_SUPERADMIN',
          'the first administrator',
        ],
        [
          'pass show ada | latchkey users create --email ada@example.com --password-stdin',
          'with a kept password',
        ],
        ['id=$(latchkey users create --email bot@example.com --quiet)', 'in a script'],
      ],
    },
  ).action(action(terminal, createUser));
}

interface ListOptions extends PageOptions {
  status?: ApprovalStatus;
  role?: GlobalRole;
  active?: boolean;
  inactive?: boolean;
  search?: string;
}

function addList(users: Command, terminal: Terminal): void {
  const command = users
    .command('list')
    .description('List users, newest first.')
    .addOption(new Option('--status <status>', 'only with this approval').choices(STATUSES))
    .addOption(new Option('--role <role>', 'only with this role').choices(ROLES))
    .addOption(new Option('--active', 'only active ones').conflicts('inactive'))
    .option('--inactive', 'only deactivated ones')
    .option('--search <text>', 'beginning of the email, or part of the name');
  withCommonOptions(withPageOptions(command), {
    json: 'array of users, as GET /internal/admin/users answers',
    quiet: 'print the ids only',
    notes:
      'Without a terminal: id, email, role, approval, active, created, last login and name, separated by tabs.',
    examples: [
      ['latchkey users list --status PENDING', 'who waits for approval'],
      ['latchkey users list --status PENDING -q | xargs -n1 latchkey users approve', 'approve them all'],
      ['latchkey users list --role PLATFORM_SUPERADMIN --json', 'for a program'],
    ],
  }).action(action(terminal, listUsers));
}

async function listUsers(call: Call<ListOptions>): Promise<void> {
  const { status, role, active, inactive, search, limit, offset } = call.options;
  const isActive = active === true ? true : inactive === true ? false : undefined;
  await withAdministration(call, async ({ administration }) => {
    const filter = { approvalStatus: status, globalRole: role, isActive, search };
    call.output.list(await administration.users.list(filter, { limit, offset }), USER_LIST);
  });
}

function addApprove(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('approve')
      .argument(USER, USER_MEANING)
      .description('Approve a user and make them active, so that they can sign in.'),
    {
      json: USER_JSON,
      quiet: 'print nothing',
      notes: 'This also lets a rejected or deactivated user in again.',
      examples: [['latchkey users approve ada@example.com', 'by email; an id does as well']],
    },
  ).action(action(terminal, (call) => change(call, { approvalStatus: 'APPROVED', isActive: true }, APPROVE)));
}

function addReject(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('reject')
      .argument(USER, USER_MEANING)
      .description('Refuse a user: they cannot sign in, and their sessions end at once.'),
    {
      json: USER_JSON,
      quiet: 'print nothing',
      confirms: true,
      notes: 'To take it back: latchkey users approve',
      examples: [['latchkey users reject ada@example.com --yes', 'without being asked']],
    },
  ).action(action(terminal, (call) => change(call, { approvalStatus: 'REJECTED' }, REJECT)));
}

function addDeactivate(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('deactivate')
      .argument(USER, USER_MEANING)
      .description('Shut a user out: they cannot sign in, and their sessions end at once.'),
    {
      json: USER_JSON,
      quiet: 'print nothing',
      confirms: true,
      notes: 'Nothing is deleted. To take it back: latchkey users approve',
      examples: [['latchkey users deactivate ada@example.com', 'asks first and says what will end']],
    },
  ).action(action(terminal, (call) => change(call, { isActive: false }, DEACTIVATE)));
}

/** How a change is announced, when it is to be confirmed, and how it is reported. */
interface Wording {
  question?: (email: string) => string;
  done: (email: string) => string;
}

const APPROVE: Wording = { done: (email) => `${email} is approved and active.` };
const REJECT: Wording = {
  question: (email) => `Reject ${email}?`,
  done: (email) => `${email} is rejected.`,
};
const DEACTIVATE: Wording = {
  question: (email) => `Deactivate ${email}?`,
  done: (email) => `${email} is deactivated.`,
};

async function change(call: Call, patch: UserPatch, { question, done }: Wording): Promise<void> {
  const named = await userArgument(call);
  await withAdministration(call, async ({ administration, operator, client }) => {
    const user = await findUser(administration, named);
    if (question) {
      const ending = consequence(await countSessions(administration, user.id));
      await call.prompts.confirm(`${question(user.email)} ${ending}`);
    }
    const view = await administration.userAdministration.patch(operator, user.id, patch, client);
    call.output.answer({ view, text: done(view.email) });
  });
}

function consequence(sessions: number): string {
  if (sessions === 0) return 'They cannot sign in any more.';
  return `They cannot sign in any more, and ${sessionsInWords(sessions)} will end at once.`;
}
