import { Option, type Command } from 'commander';
import type { ApprovalStatus, GlobalRole } from '@latchkey/core';
import { APPROVAL_STATUSES, GLOBAL_ROLES } from '@latchkey/core/names';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { withPersonOptions } from '../../runtime/person-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { USER_JSON } from '../../runtime/user-status.js';
import { addChangeUserCommands } from './change-user.js';
import { createUser } from './create-user.js';
import { addSetPassword } from './set-password.js';
import { addSetRole } from './set-role.js';
import { addShowUser } from './show-user.js';
import { USER_LIST } from './user-list.js';

export function addUsersCommands(program: Command, terminal: Terminal): void {
  const users = program
    .command('users')
    .helpCommand(false)
    .description('Create, find, approve, change and deactivate users.');
  addCreate(users, terminal);
  addList(users, terminal);
  addShowUser(users, terminal);
  addChangeUserCommands(users, terminal);
  addSetRole(users, terminal);
  addSetPassword(users, terminal);
}

function addCreate(users: Command, terminal: Terminal): void {
  const command = users.command('create').description('Add a user who is approved and active at once.');
  withPersonOptions(command).addOption(
    new Option('--role <role>', 'role on the platform').choices(GLOBAL_ROLES).default('NONE'),
  );
  withCommonOptions(command, {
    json: USER_JSON,
    audited: true,
    quiet: 'print the id only',
    notes:
      'On a terminal the password is asked for, unseen. It is never an argument: those can be read by others on ' +
      'the machine. Without a password the user cannot sign in until they reset it. The first superadmin of a new ' +
      'installation is made by latchkey bootstrap.',
    examples: [
      ['latchkey users create --email ada@example.com', 'asks for the password'],
      [
        'pass show ada | latchkey users create --email ada@example.com --password-stdin',
        'with a kept password',
      ],
      ['id=$(latchkey users create --email bot@example.com --quiet)', 'in a script'],
    ],
  }).action(action(terminal, createUser));
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
    .addOption(new Option('--status <status>', 'only with this approval').choices(APPROVAL_STATUSES))
    .addOption(new Option('--role <role>', 'only with this role').choices(GLOBAL_ROLES))
    .addOption(new Option('--active', 'only active ones').conflicts('inactive'))
    .option('--inactive', 'only deactivated ones')
    .option('--search <text>', 'prefix of the email, or part of the name');
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
