import { companyMessages as messages } from '../../messages/en/console/operations.js';
import { client } from '../client.js';
import { companyRoleText, nameOf } from './format.js';
import type { DialogField } from './overlay-store.js';
import { confirmed } from './perform.js';
import type { CompanyUser } from './types.js';

/** Roles that the service knows; every other one is a name of the apps of a company. */
export const KNOWN_ROLES: readonly string[] = ['TENANT_SUPERADMIN', 'ADMIN', 'MEMBER'];

/** A choice of a role, and a field for one that no listed member has. */
const roleFields = (roles: readonly string[], value: string): DialogField[] => [
  {
    name: 'role',
    label: messages.columns.role,
    value,
    options: roles.map((role) => ({ value: role, label: companyRoleText(role) })),
  },
  { name: 'other', label: messages.otherRole, hint: messages.otherRoleHint, isOptional: true, maxLength: 64 },
];

/** Returns the role of the fields: "Account manager" is `ACCOUNT_MANAGER`. */
const roleOf = ({ role = 'MEMBER', other = '' }: Readonly<Record<string, string>>): string =>
  other === '' ? role : other.toUpperCase().replaceAll(/\s+/g, '_');

/** Invites to a company, by mail. @returns whether it was done, as the others here. */
export const invite = (
  company: { id: string; name?: string | undefined },
  roles: readonly string[],
): Promise<boolean> =>
  confirmed(
    {
      title: messages.inviteTitle,
      text: messages.inviteText,
      confirm: messages.invite,
      fields: [
        { name: 'email', label: messages.email, type: 'email', maxLength: 254 },
        ...roleFields(roles, 'MEMBER'),
      ],
    },
    (answers) =>
      client.invitations.create(company.id, {
        email: answers.email ?? '',
        role: roleOf(answers),
        ...(company.name !== undefined && { metadata: { companyName: company.name } }),
      }),
    messages.invited,
  );

export const changeMemberRole = (user: CompanyUser, roles: readonly string[]): Promise<boolean> =>
  confirmed(
    {
      title: messages.roleTitle(nameOf(user)),
      text: messages.roleText(companyRoleText(user.membership.role)),
      confirm: messages.changeRole,
      fields: roleFields(roles, user.membership.role),
    },
    (answers) => save(user, { role: roleOf(answers) }),
    messages.roleChanged,
  );

export const removeMember = (user: CompanyUser): Promise<boolean> =>
  confirmed(
    {
      title: messages.removeTitle(nameOf(user)),
      text: messages.removeText,
      confirm: messages.remove,
      isDanger: true,
    },
    () => save(user, { isActive: false }),
    messages.removed,
  );

const save = ({ id, membership }: CompanyUser, change: { role?: string; isActive?: boolean }) =>
  client.request('POST', '/internal/companies/{companyId}/memberships', {
    path: { companyId: membership.companyId },
    body: { userId: id, ...change },
  });
