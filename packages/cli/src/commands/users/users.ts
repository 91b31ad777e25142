import { Option, type Command } from 'commander';
import type { ApprovalStatus, GlobalRole, MachineUserView } from '@latchkey/core';
import { APPROVAL_STATUSES, GLOBAL_ROLES, LOCALES, USER_SORTS } from '@latchkey/core/names';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import type { ListFormat } from '../../runtime/output.js';
import { withPersonOptions } from '../../runtime/person-options.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Style, Terminal } from '../../runtime/terminal.js';
import { statusOf, USER_JSON } from '../../runtime/user-status.js';
import { addChangeUserCommands } from './change-user.js';
import { createUser } from './create-user.js';
import { addEraseUser } from './erase-user.js';
import { addExportUsers } from './export-users.js';
import { addImportUsers } from './import-users.js';
import { addRemoveTrustedDevices } from './remove-trusted-devices.js';
import { addResendVerification } from './resend-verification.js';
import { addResetFactors } from './reset-factors.js';
import { addSetPassword } from './set-password.js';
import { addSetRole } from './set-role.js';
import { addShowUser } from './show-user.js';

const USER_LIST: ListFormat<MachineUserView> = {
  noun: 'users',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, whenNarrow: 'shrink' },
    { title: 'STATUS', text: statusOf, style: styleOf },
    { title: 'NAME', text: ({ fullName }) => fullName ?? '', whenNarrow: 'drop', least: 12 },
    { title: 'MAILBOX', text: (user) => mailboxOf(user), style: () => 'yellow', whenNarrow: 'drop' },
    { title: 'ROLE', text: ({ globalRole }) => roleName(globalRole), whenNarrow: 'drop' },
    { title: 'LAST LOGIN', text: ({ lastLoginAt }) => relativeTime(lastLoginAt), whenNarrow: 'drop' },
    { title: 'CREATED', text: ({ createdAt }) => relativeTime(createdAt), whenNarrow: 'drop' },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: [
    'id',
    'email',
    'globalRole',
    'approvalStatus',
    'isActive',
    'createdAt',
    'lastLoginAt',
    'fullName',
    'emailVerifiedAt',
  ],
  id: ({ id }) => id,
};

function styleOf(user: MachineUserView): Style | undefined {
  const status = statusOf(user);
  return status === 'active' ? undefined : status === 'pending' ? 'yellow' : 'red';
}

/** Returns the note that matters for approving a registration. */
const mailboxOf = ({ emailVerifiedAt }: MachineUserView): string =>
  emailVerifiedAt === undefined ? 'not proved' : '';

/** Returns `superadmin` for `PLATFORM_SUPERADMIN`. */
const roleName = (role: MachineUserView['globalRole']): string =>
  role === 'NONE' ? '' : role.replace('PLATFORM_', '').toLowerCase();

export function addUsersCommands(program: Command, terminal: Terminal): void {
  const users = program
    .command('users')
    .helpCommand(false)
    .description('Create, find, approve, change, deactivate, erase, import and export users.');
  addCreate(users, terminal);
  addList(users, terminal);
  addShowUser(users, terminal);
  addChangeUserCommands(users, terminal);
  addSetRole(users, terminal);
  addSetPassword(users, terminal);
  addResendVerification(users, terminal);
  addResetFactors(users, terminal);
  addRemoveTrustedDevices(users, terminal);
  addImportUsers(users, terminal);
  addExportUsers(users, terminal);
  addEraseUser(users, terminal);
}

function addCreate(users: Command, terminal: Terminal): void {
  const command = users.command('create').description('Create an approved and active user.');
  withPersonOptions(command)
    .addOption(new Option('--role <role>', 'role on the platform').choices(GLOBAL_ROLES).default('NONE'))
    .addOption(new Option('--locale <language>', 'language of the mails to the user').choices(LOCALES));
  withCommonOptions(command, {
    json: USER_JSON,
    audited: true,
    quiet: 'print only the id',
    notes:
      'On a terminal, a hidden prompt asks for the password. It is never an argument: arguments can be read by other users of ' +
      'the machine. Without a password the user cannot sign in until they reset it. The first superadmin of a new ' +
      'installation is created by latchkey bootstrap.',
    examples: [
      ['latchkey users create --email ada@example.com', 'asks for the password'],
      [
        'pass show ada | latchkey users create --email ada@example.com --password-stdin',
        'with a stored password',
      ],
      ['id=$(latchkey users create --email bot@example.com --quiet)', 'in a script'],
      ['latchkey users create --email ada@example.com --locale de', 'who gets mails in German'],
    ],
  }).action(action(terminal, createUser));
}

interface ListOptions extends PageOptions {
  status?: ApprovalStatus;
  role?: GlobalRole;
  active?: boolean;
  inactive?: boolean;
  search?: string;
  sort?: (typeof USER_SORTS)[number];
}

function addList(users: Command, terminal: Terminal): void {
  const command = users
    .command('list')
    .description('List users, newest first by default.')
    .addOption(new Option('--status <status>', 'only with this approval status').choices(APPROVAL_STATUSES))
    .addOption(new Option('--role <role>', 'only with this role').choices(GLOBAL_ROLES))
    .addOption(new Option('--active', 'only active users').conflicts('inactive'))
    .option('--inactive', 'only deactivated users')
    .option('--search <text>', 'prefix of the email, or part of the name')
    .addOption(
      new Option('--sort <order>', 'createdAt, email or fullName; a minus reverses the order').choices(
        USER_SORTS,
      ),
    );
  withCommonOptions(withPageOptions(command), {
    json: 'array of users, as GET /internal/admin/users returns them',
    quiet: 'print only the ids',
    notes:
      'Without a terminal: id, email, role, approval, active, created, last login and name, separated by tabs.',
    examples: [
      ['latchkey users list --status PENDING', 'users who wait for approval'],
      ['latchkey users list --status PENDING -q | xargs -n1 latchkey users approve', 'approve them all'],
      ['latchkey users list --sort email', 'by email'],
      ['latchkey users list --role PLATFORM_SUPERADMIN --json', 'for a program'],
    ],
  }).action(action(terminal, listUsers));
}

async function listUsers(call: Call<ListOptions>): Promise<void> {
  const { status, role, active, inactive, search, sort, limit, offset } = call.options;
  const isActive = active === true ? true : inactive === true ? false : undefined;
  await withAdministration(call, async ({ administration }) => {
    const filter = { approvalStatus: status, globalRole: role, isActive, search, sort };
    call.output.list(await administration.users.list(filter, { limit, offset }), USER_LIST);
  });
}
