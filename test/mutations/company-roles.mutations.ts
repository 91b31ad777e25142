import type { Mutation } from './mutation.js';

const CONTENTS =
  'A defined role gives exactly its contents, capped by entitlements, and its members are never without restriction, in every mode.';
const EVERY_MEMBERSHIP =
  'A change of a role counts as a change of every membership with it: no user raises their own, or reaches beyond their rank or company.';
const DELEGATE =
  'A delegate offers no more by a defined MEMBER than they may grant, and a wider MEMBER cancels their open invitations.';

const LAST_ONE =
  'People leave no company without a `TENANT_SUPERADMIN`, also when two of them leave at once.';

const ONE_ORDER =
  'Changes of roles on several replicas give what one order of them gives: no invitation becomes wider, and no company loses its last superadmin.';

const OTHER_COMPANY =
  'Administrators of one company reach no other: every route with its id refuses them, and changes nothing.';
const COMPANY_LOG =
  'The audit log of a company has its own entries only, and shows no network address or browser of staff, machines and strangers.';
const ACTIVITY = 'packages/core/src/memberships/company-activity.ts';

const ADMINISTRATION = 'packages/core/src/company-roles/role-administration.ts';

export const companyRoleMutations: readonly Mutation[] = [
  {
    promise: OTHER_COMPANY,
    defect: 'a membership of any company counts',
    file: 'packages/http/src/callers/company-admin.ts',
    from: 'const membership = member.memberships.companies.find((each) => each.companyId === companyId);',
    to: 'const membership = member.memberships.companies.find((each) => each.companyId !== companyId);',
  },
  {
    promise: OTHER_COMPANY,
    defect: 'outsiders learn that a company is none of theirs',
    file: 'packages/http/src/callers/company-admin.ts',
    from: "return isOutside && outsiders === 'not_found'",
    to: "return !isOutside && outsiders === 'not_found'",
  },
  {
    promise: OTHER_COMPANY,
    defect: 'a request that is answered by 404 is not audited',
    file: 'packages/http/src/routing/serve-route.ts',
    from: "const DENIALS_OF_CALLERS = ['forbidden', 'not_found'] as const;",
    to: "const DENIALS_OF_CALLERS = ['forbidden'] as const;",
  },
  {
    promise: OTHER_COMPANY,
    defect: 'users outside of the company are explained',
    file: 'packages/core/src/access/access-service.ts',
    from: 'if (!user || !isMember)',
    to: 'if (!user)',
  },
  {
    promise: COMPANY_LOG,
    defect: 'a search by address reveals addresses that are hidden',
    file: ACTIVITY,
    from: '{ ...filter, companyId, ipAddress: undefined }',
    to: '{ ...filter, companyId }',
  },
  {
    promise: COMPANY_LOG,
    defect: 'entries of every company are listed',
    file: ACTIVITY,
    from: '{ ...filter, companyId, ipAddress: undefined }',
    to: '{ ...filter }',
  },
  {
    promise: COMPANY_LOG,
    defect: 'addresses of staff are shown',
    file: ACTIVITY,
    from: 'actor?.isStaff === false && actedByUserId',
    to: 'actor !== undefined && actedByUserId',
  },
  {
    promise: COMPANY_LOG,
    defect: 'addresses of strangers are shown',
    file: ACTIVITY,
    from: 'actor?.isStaff === false',
    to: 'actor?.isStaff !== true',
  },
  {
    promise: COMPANY_LOG,
    defect: 'addresses of staff who act for a member are shown',
    file: ACTIVITY,
    from: '&& actedByUserId === null && actedByName === null',
    to: '&& actedByName === null',
  },
  {
    promise: LAST_ONE,
    defect: 'people may end the last one',
    file: 'packages/core/src/memberships/membership-service.ts',
    from: "if (actor.kind !== 'user') return;\n    const isOne",
    to: "if (actor.kind !== 'anonymous') return;\n    const isOne",
  },
  {
    promise: CONTENTS,
    defect: 'a member with an empty list is unrestricted, although the role is defined',
    file: 'packages/core/src/access/effective-modules.ts',
    from: 'if (grants.size === 0 && !ofRole)',
    to: 'if (grants.size === 0)',
  },
  {
    promise: CONTENTS,
    defect: 'a definition is removed although members have it',
    file: ADMINISTRATION,
    from: 'if (!after && moveTo === undefined && members > 0)',
    to: 'if (!after && moveTo === undefined && members > 1)',
  },
  {
    promise: CONTENTS,
    defect: 'a template applies to a company with a definition of its own',
    file: 'packages/core/src/memberships/membership-repository.ts',
    from: "${where(`= ${company}`)}, ${where('IS NULL')}",
    to: "${where('IS NULL')}, ${where(`= ${company}`)}",
  },
  {
    promise: CONTENTS,
    defect: 'open invitations keep a role without a definition',
    file: ADMINISTRATION,
    from: 'if (!after) await this.#deps.openInvitations.leaveRole',
    to: 'if (after) await this.#deps.openInvitations.leaveRole',
  },
  {
    promise: EVERY_MEMBERSHIP,
    defect: 'a user raises the role that they hold',
    file: ADMINISTRATION,
    from: 'edit.moveTo !== undefined || raisesRole(membership, edit.after)',
    to: 'edit.moveTo !== undefined && raisesRole(membership, edit.after)',
  },
  {
    promise: EVERY_MEMBERSHIP,
    defect: 'staff above the editor are not looked at',
    file: ADMINISTRATION,
    from: '![some, ...others].every(',
    to: '![some, ...others].some(',
  },
  {
    promise: EVERY_MEMBERSHIP,
    defect: 'roles are changed without a recent sign-in',
    file: 'packages/core/src/company-roles/role-service.ts',
    from: "if (editor.kind !== 'user') return;",
    to: "if (editor.kind !== 'user' || editor.signIn) return;",
  },
  {
    promise: ONE_ORDER,
    defect: 'a change of a role does not wait for those who use it',
    file: 'packages/core/src/memberships/membership-write-repository.ts',
    from: '${roleLock(EXCLUSIVE, ROLES_OF_COMPANY)}',
    to: '${roleLock(SHARED, ROLES_OF_COMPANY)}',
  },
  {
    promise: DELEGATE,
    defect: 'the contents of MEMBER are not part of the offer',
    file: 'packages/core/src/invitations/invitation.ts',
    from: 'if (!memberRole) return undefined;',
    to: 'if (!memberRole || memberRole.modules.length >= 0) return undefined;',
  },
  {
    promise: DELEGATE,
    defect: 'open invitations survive a wider MEMBER',
    file: 'packages/core/src/invitations/invitation-withdrawal.ts',
    from: "!mayStillOffer(inviterIn(invitation.invitedByUserId ?? '', invitation.companyId), invitation)",
    to: "!inviterIn(invitation.invitedByUserId ?? '', invitation.companyId)",
  },
];
