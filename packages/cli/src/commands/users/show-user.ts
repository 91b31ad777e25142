import type { Command } from 'commander';
import type {
  ListTotal,
  BusinessUnitMembershipView,
  CompanyMembershipView,
  MachineUserView,
  UserContext,
} from '@latchkey/core';
import { PROFILE_FIELDS, type ProfileField } from '@latchkey/core/names';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { totalText } from '../../runtime/count-words.js';
import { moment, type Detail } from '../../runtime/details.js';
import { countSessions, findUser, userArgument, USER_MEANING } from '../../runtime/find-user.js';
import { ABOUT_IDS } from '../../runtime/one-of.js';
import type { Terminal } from '../../runtime/terminal.js';
import { statusOf } from '../../runtime/user-status.js';

export function addShowUser(users: Command, terminal: Terminal): void {
  withCommonOptions(
    users.command('show').argument('[user]', USER_MEANING).description('Show a user with their memberships.'),
    {
      json:
        '{ user, companyMemberships, businessUnitMemberships } as GET /internal/admin/users/{id}/context returns it, ' +
        'with user.legacyIds, and { activeSessions: number, passkeys: number, codesBlocked: boolean }',
      quiet: 'print only the id',
      notes:
        'Times are exact. Only active memberships are shown. Without a terminal: a label and its value in each ' +
        `line, separated by a tab. ${ABOUT_IDS}`,
      examples: [
        ['latchkey users show ada@example.com', 'why Ada cannot sign in, and her memberships'],
        ['latchkey users show 01981f3e-5c1a-7b --json', 'by the first characters of the id, for a program'],
      ],
    },
  ).action(action(terminal, show));
}

interface UserDetails extends UserContext {
  user: MachineUserView;
  activeSessions: number;
  passkeys: number;
  codesBlocked: boolean;
}

async function show(call: Call): Promise<void> {
  const named = await userArgument(call);
  await withAdministration(call, async ({ administration }) => {
    const user = await findUser(administration, named, call.prompts);
    const { view, sessions } = await userDetailsOf(administration, user);
    call.output.details({ view, details: detailsOf(view, sessions), id: user.id });
  });
}

async function userDetailsOf(
  administration: Administration,
  user: MachineUserView,
): Promise<{ view: UserDetails; sessions: ListTotal }> {
  const [context, sessions, { passkeys, codesBlocked }] = await Promise.all([
    administration.users.context(user.id),
    countSessions(administration, user.id),
    administration.factors.ofUser(user.id),
  ]);
  return { view: { ...context, user, activeSessions: sessions.total, passkeys, codesBlocked }, sessions };
}

function detailsOf(view: UserDetails, sessions: ListTotal): Detail[] {
  const { user, passkeys, companyMemberships, businessUnitMemberships } = view;
  return [
    { label: 'id', text: user.id },
    { label: 'email', text: user.email, aside: mailboxAside(user) },
    { label: 'name', text: user.fullName ?? '' },
    { label: 'status', text: statusOf(user), aside: OBSTACLES[statusOf(user)] },
    { label: 'role', text: user.globalRole },
    { label: 'signs in by', text: user.authProvider },
    ...profileDetails(user),
    ...Object.entries(user.legacyIds).map(([system, id]) => ({ label: 'older id', text: `${system} ${id}` })),
    { label: 'token version', text: String(user.tokenVersion) },
    moment('created', user.createdAt),
    moment('changed', user.updatedAt),
    moment('mailbox proved', user.emailVerifiedAt),
    moment('last login', user.lastLoginAt),
    ...(user.deleteAt === undefined ? [] : [{ label: 'deleted at', text: user.deleteAt, aside: DELETED }]),
    ...(user.erasedAt === undefined ? [] : [moment('erased', user.erasedAt)]),
    { label: 'active sessions', text: totalText(sessions) },
    { label: 'passkeys', text: String(passkeys) },
    ...(view.codesBlocked ? [{ label: 'codes', text: 'blocked', aside: CODES_BLOCKED }] : []),
    ...companyMemberships.map((membership) => ({ label: 'company', text: companyText(membership) })),
    ...businessUnitMemberships.map((membership) => ({ label: 'business unit', text: unitText(membership) })),
  ];
}

function profileDetails(user: MachineUserView): Detail[] {
  const texts = new Map<string, string[]>();
  for (const [field, { label }] of Object.entries(PROFILE_FIELDS)) {
    texts.set(label, [...(texts.get(label) ?? []), user[field as ProfileField] ?? '']);
  }
  return [...texts].map(([label, parts]) => ({ label, text: parts.filter(Boolean).join(' ') }));
}

const mailboxAside = ({ emailVerifiedAt }: MachineUserView): string | undefined =>
  emailVerifiedAt === undefined ? 'mailbox not proved' : undefined;

const OBSTACLES: Record<string, string> = {
  pending: 'cannot sign in until approved',
  rejected: 'cannot sign in',
  inactive: 'cannot sign in',
  erased: 'personal data was erased; cannot be changed',
};

const DELETED = 'the user has deleted the account; until then latchkey users reactivate undoes it';

const CODES_BLOCKED =
  '100 wrong ones in a row; a recovery code, a passkey, a new password or latchkey users reset-factors ends it';

function companyText(membership: CompanyMembershipView): string {
  const { companyId, role, moduleGrants, permissionGrants } = membership;
  return [
    `${companyId} ${role}`,
    ...financeText(membership, membership.isPrimaryFinanceAdmin ? 'primary finance admin' : ''),
    ...(moduleGrants.length > 0 ? [`modules ${moduleGrants.join(' ')}`] : []),
    ...(permissionGrants.length > 0 ? [`permissions ${permissionGrants.join(' ')}`] : []),
  ].join(', ');
}

const unitText = (membership: BusinessUnitMembershipView): string =>
  [
    `${membership.businessUnitId} of ${membership.companyId}`,
    ...financeText(membership, membership.isPrimaryApprover ? 'primary approver' : ''),
  ].join(', ');

const financeText = (
  { financeRole, approvalLimit }: Pick<CompanyMembershipView, 'financeRole' | 'approvalLimit'>,
  primary: string,
): string[] =>
  [
    financeRole === null ? '' : `finance ${financeRole}`,
    approvalLimit === null ? '' : `approves up to ${approvalLimit}`,
    primary,
  ].filter((text) => text !== '');
