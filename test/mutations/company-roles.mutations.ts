import type { Mutation } from './mutation.js';

const CONTENTS =
  'A defined role gives exactly its contents, capped by entitlements, and its members are never without restriction, in every mode.';
const EVERY_MEMBERSHIP =
  'A change of a role counts as a change of every membership with it: no user raises their own, or reaches beyond their rank or company.';
const DELEGATE =
  'A delegate offers no more by a defined MEMBER than they may grant, and a wider MEMBER cancels their open invitations.';

const LAST_ONE =
  'People leave no company without a `TENANT_SUPERADMIN`, also when two of them leave at once.';

const ADMINISTRATION = 'packages/core/src/company-roles/role-administration.ts';

export const companyRoleMutations: readonly Mutation[] = [
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
    promise: DELEGATE,
    defect: 'the contents of MEMBER are not part of the offer',
    file: 'packages/core/src/invitations/invitation.ts',
    from: 'if (!memberRole) return undefined;',
    to: 'if (!memberRole || memberRole) return undefined;',
  },
  {
    promise: DELEGATE,
    defect: 'open invitations survive a wider MEMBER',
    file: 'packages/core/src/invitations/invitation-withdrawal.ts',
    from: "!mayStillOffer(inviterIn(invitation.invitedByUserId ?? '', invitation.companyId), invitation)",
    to: "!inviterIn(invitation.invitedByUserId ?? '', invitation.companyId)",
  },
];
