import type { Mutation } from './mutation.js';

const OFFER = 'An invitation is valid only while its inviter may make it.';
const JOIN_AGAIN =
  'A returning member gets what the new invitation grants and nothing from an earlier membership.';
const OWN = 'No member can raise their own authority in a company.';
const UNIT = 'A business unit belongs to one company.';
const MAILBOX = 'A registered address is not linked to a company before its mailbox is verified.';
const LIMITS = 'Invitations cannot flood mailboxes.';

const ACCEPTANCE = 'packages/core/src/invitations/invitation-acceptance.ts';
const INVITATION = 'packages/core/src/invitations/invitation.ts';
const MEMBERSHIPS = 'packages/core/src/memberships/membership-service.ts';
const WRITES = 'packages/core/src/memberships/membership-write-repository.ts';
const SETTLED = 'packages/core/src/memberships/membership-write.ts';
const OWN_AUTHORITY = 'packages/core/src/memberships/own-authority.ts';
const FINANCE = 'packages/core/src/memberships/finance-workflow.ts';
const TRANSITIONS = 'packages/core/src/invitations/invitation-transitions.ts';

export const companiesMutations: readonly Mutation[] = [
  {
    promise: OFFER,
    defect: 'the inviter is not checked again when a user accepts',
    file: ACCEPTANCE,
    from: '      parties.assertStillOffered(invitation, userId);\n',
    to: '',
  },
  {
    promise: OFFER,
    defect: 'the inviter is not checked again when a new user accepts',
    file: ACCEPTANCE,
    from: '      parties.assertStillOffered(invitation);\n',
    to: '',
  },
  {
    promise: OFFER,
    defect: 'a deactivated inviter keeps open invitations',
    file: 'packages/core/src/admin/user-administration.ts',
    from: 'if (change.raisesTokenVersion) {\n        await this.#deps.openInvitations',
    to: 'if (change.removesSuperadmin) {\n        await this.#deps.openInvitations',
  },
  {
    promise: OFFER,
    defect: 'an inviter who is lowered in the company keeps open invitations',
    file: MEMBERSHIPS,
    from: 'if (current) await this.#deps.openInvitations',
    to: 'if (!current) await this.#deps.openInvitations',
  },
  {
    promise: OFFER,
    defect: 'an inviter who may no longer sign in still counts',
    file: 'packages/core/src/invitations/invitation-parties.ts',
    from: '  if (!maySignIn(user)) return undefined;\n',
    to: '  if (!user.isActive && !maySignIn(user)) return undefined;\n',
  },
  {
    promise: OFFER,
    defect: 'the former membership is not looked at when an invitation is created',
    file: 'packages/core/src/invitations/invitation-service.ts',
    from: 'if (invitee) assertMayInviteAgain(current, invitee, offer);',
    to: 'if (invitee?.membership?.isActive) assertMayInviteAgain(current, invitee, offer);',
  },
  {
    promise: OFFER,
    defect: 'the former membership is not looked at when an invitation is accepted',
    file: INVITATION,
    from: '(invitee === undefined || mayInviteAgain(inviter, invitee, offer))',
    to: '(invitee === undefined || mayInvite(inviter))',
  },
  {
    promise: JOIN_AGAIN,
    defect: 'an ended membership keeps its part in the finance workflow',
    file: WRITES,
    from: '...(change.financeRole === null && { finance_role: null, is_primary_finance_admin: false }),',
    to: '...(change.financeRole === null && { is_primary_finance_admin: false }),',
  },
  {
    promise: JOIN_AGAIN,
    defect: 'rules of teams are kept',
    file: SETTLED,
    from: '  moduleRules,\n});',
    to: '  ...(moduleRules.length > 0 && { moduleRules }),\n});',
  },
  {
    promise: JOIN_AGAIN,
    defect: 'grants and delegation come back',
    file: SETTLED,
    from: '  if (!rejoins(current, change)) return change;\n',
    to: '  if (rejoins(current, change)) return { ...change, ...withoutFinance(change) };\n  if (!rejoins(current, change)) return change;\n',
  },
  {
    promise: JOIN_AGAIN,
    defect: 'the parts in business units stay',
    file: WRITES,
    from: 'if (write.financeRole === null) await this.#endBusinessUnits(write, trx);',
    to: 'if (write.financeRole === undefined) await this.#endBusinessUnits(write, trx);',
  },
  {
    promise: OWN,
    defect: 'an administrator raises their own approval limit',
    file: FINANCE,
    from: 'if (actor.machine || actor.userId !== key.userId) return;',
    to: 'if (actor.machine || actor.userId !== key.userId || change.approvalLimit !== undefined) return;',
  },
  {
    promise: OWN,
    defect: 'an administrator raises their own grants',
    file: MEMBERSHIPS,
    from: "actor.kind === 'user' && actor.userId === userId;",
    to: "actor.kind === 'machine' && actor.name === userId;",
  },
  {
    promise: OWN,
    defect: 'a limit that is taken away counts as lowered',
    file: OWN_AUTHORITY,
    from: 'return wanted === null || tenThousandths(wanted)',
    to: 'return wanted !== null && tenThousandths(wanted)',
  },
  {
    promise: UNIT,
    defect: 'a unit is taken by two companies',
    file: MEMBERSHIPS,
    from: 'if (owner === undefined || owner === key.companyId) return;',
    to: "if (owner === undefined || owner === key.companyId || owner !== '') return;",
  },
  {
    promise: UNIT,
    defect: 'simultaneous first uses do not wait for each other',
    file: MEMBERSHIPS,
    from: '    await this.#deps.membershipWrites.lockUnit(key.businessUnitId, trx);\n',
    to: '',
  },
  {
    promise: UNIT,
    defect: 'the second company of a unit names a primary approver of its own',
    file: FINANCE,
    from: '      if (owner !== key.companyId) throw unitOfAnother();\n',
    to: '      if (owner === undefined) throw unitOfAnother();\n',
  },
  {
    promise: MAILBOX,
    defect: 'an account whose mailbox was never proved joins by the token alone',
    file: ACCEPTANCE,
    from: 'if (user.emailVerifiedAt !== null || caller?.userId === user.id) return;',
    to: 'if (user.emailVerifiedAt !== null || caller?.userId !== null) return;',
  },
  {
    promise: MAILBOX,
    defect: 'a registration counts as proof',
    file: 'packages/core/src/login/registration-service.ts',
    from: 'isEmailVerified: false,',
    to: 'isEmailVerified: true,',
  },
  {
    promise: LIMITS,
    defect: 'an invitation is sent anew without limit',
    file: TRANSITIONS,
    from: "    assertNoWait(wait, 'mails of this invitation');\n",
    to: "    assertNoWait(wait && undefined, 'mails of this invitation');\n",
  },
  {
    promise: LIMITS,
    defect: 'a user invites without limit',
    file: TRANSITIONS,
    from: 'const DAILY_CREATIONS = 100;',
    to: 'const DAILY_CREATIONS = 1_000;',
  },
];
