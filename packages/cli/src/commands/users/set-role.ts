import { Option, type Command } from 'commander';
import type { GlobalRole, MachineUserView, UserAction } from '@latchkey/core';
import { GLOBAL_ROLES } from '@latchkey/core/names';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator } from '../../runtime/connection.js';
import { findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import type { Terminal } from '../../runtime/terminal.js';
import { USER_JSON } from '../../runtime/user-status.js';

export function addSetRole(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users
      .command('set-role')
      .argument('[user]', USER_MEANING)
      .description("Change a user's role on the platform.")
      .addOption(new Option('--role <role>', 'the new role; asked for on a terminal').choices(GLOBAL_ROLES)),
    {
      json: USER_JSON,
      audited: true,
      quiet: 'print nothing',
      confirms: true,
      notes:
        'Current access tokens of the user stop working at once; their sessions continue with the new role. The ' +
        'last active superadmin keeps the role.',
      examples: [
        ['latchkey users set-role ada@example.com --role PLATFORM_ADMIN', 'shows what Ada gains and asks'],
        ['latchkey users set-role ada@example.com --role NONE --yes', 'without confirmation'],
      ],
    },
  ).action(action(terminal, setRole));
}

async function setRole(call: Call<{ role?: GlobalRole }>): Promise<void> {
  const named = await userArgument(call);
  if (call.options.role === undefined) call.prompts.assertCanAsk('--role <role>');
  await withOperator(call, async ({ administration, operator, client }) => {
    const user = await findUser(administration, named, call.prompts);
    const globalRole = call.options.role ?? (await askForRole(call, user));
    if (globalRole === user.globalRole) {
      call.output.answer({ view: user, text: `${user.email} already has the role ${globalRole}.` });
      return;
    }
    await call.prompts.confirm(await questionFor(user, globalRole));
    const view = await administration.users.patch(operator, user.id, { globalRole }, client);
    call.output.answer({ view, text: `${view.email} now has the role ${view.globalRole}.` });
  });
}

async function askForRole({ prompts }: Call, { email, globalRole }: MachineUserView): Promise<GlobalRole> {
  const roles = (await rolesByRights()).map((role) => ({
    value: role,
    name: role === globalRole ? `${role} (current)` : role,
  }));
  return prompts.choice(`Which role for ${email}?`, roles, '--role <role>');
}

/** Returns the roles, the weakest first, so that one key too many does not choose the strongest. */
async function rolesByRights(): Promise<GlobalRole[]> {
  const { compareRoles } = await import('@latchkey/core');
  const rightsOf = (role: GlobalRole) => compareRoles('NONE', role).gained.length;
  return GLOBAL_ROLES.toSorted((a, b) => rightsOf(a) - rightsOf(b));
}

async function questionFor({ email, globalRole: from }: MachineUserView, to: GlobalRole): Promise<string> {
  return [
    `Change the role of ${email} from ${from} to ${to}?`,
    ...(await consequencesOf(from, to)),
    'Current access tokens stop working; sessions continue.',
  ].join(' ');
}

async function consequencesOf(from: GlobalRole, to: GlobalRole): Promise<string[]> {
  const { compareRoles, mayManageCompany } = await import('@latchkey/core');
  const [hadCompanies, hasCompanies] = [from, to].map((globalRole) =>
    mayManageCompany({ globalRole, membership: undefined }),
  );
  const { gained, lost } = compareRoles(from, to);
  const gains = [...rightsText(gained), ...(hasCompanies && !hadCompanies ? [EVERY_COMPANY] : [])];
  const losses = [...rightsText(lost), ...(hadCompanies && !hasCompanies ? [EVERY_COMPANY] : [])];
  return [
    ...(gains.length > 0 ? [`They will be able to ${gains.join(', ')}.`] : []),
    ...(losses.length > 0 ? [`They will no longer be able to ${losses.join(', ')}.`] : []),
  ];
}

const EVERY_COMPANY = 'act in every company with all its modules';

const RIGHTS: Record<UserAction, string> = {
  read: 'see all users and their sessions',
  create: 'create users',
  approve: 'approve and reject users',
  edit: 'edit users',
  'change-role': 'change the roles of users',
  deactivate: 'deactivate users',
  'revoke-sessions': 'end sessions of users',
  'send-mail': 'send links by mail to users',
  'act-for': 'act for users of a lower role, while STAFF_ACTING is on',
  'reset-factors': 'remove the second factors of users',
  erase: 'erase the personal data of users',
  operate: 'read the audit log, mails, invitations and the health of the service',
};

const rightsText = (actions: readonly UserAction[]): string[] => actions.map((right) => RIGHTS[right]);
