import type { Mutation } from './mutation.js';

const RESET_LINKS = 'A password change by any route invalidates every reset link, mailed or still queued.';
const HINTS =
  'Hint-based guards immediately reject sessions that were revoked by a new password, a deactivation or a withdrawn approval.';
const ADDRESS = 'A queued reset mail whose account changes its address carries no link.';
const ALLOWANCE =
  'An account gets three reset mails at once and one more every 20 minutes, so its owner always has a link that works.';
const APPROVED = 'Only administrators deactivate and reactivate approved users; moderators never do.';
const SCOPES =
  'A service token needs separate scopes to create sessions, set roles and passwords, and change platform staff.';
const OWN_SESSION = 'A password change revokes all other sessions.';

const SETTER = 'packages/core/src/login/password-setter.ts';
const RESETS = 'packages/core/src/users/password-reset-repository.ts';
const USER_CHANGE = 'packages/core/src/admin/user-change.ts';

/** Passwords, reset links, what staff may do to accounts, and scopes of service tokens. */
export const accountsMutations: readonly Mutation[] = [
  {
    promise: RESET_LINKS,
    defect: 'a new password leaves reset links alive',
    file: SETTER,
    from: 'await this.#deps.resets.revokeAll(userId, trx);',
    to: '',
  },
  {
    promise: RESET_LINKS,
    defect: 'a reset mail that was asked for before the password was set gets a link',
    file: RESETS,
    from: 'AND (password_changed_at IS NULL OR password_changed_at < $5::timestamptz)',
    to: 'AND $5::timestamptz IS NOT NULL',
  },
  {
    promise: RESET_LINKS,
    defect: 'the time of a new password is not recorded',
    file: 'packages/core/src/users/user-repository.ts',
    from: "\n        password_changed_at: trx.raw('now()'),",
    to: '',
  },
  {
    promise: HINTS,
    defect: 'sessions that end together are not marked',
    file: 'packages/core/src/sessions/session-revoker.ts',
    from: 'this.#mark(revoked.activeIds, trx);\n    return revoked.activeIds.length;',
    to: 'return revoked.activeIds.length;',
  },
  {
    promise: HINTS,
    defect: 'sessions are marked, and the answer does not wait for it',
    file: 'packages/core/src/storage/database.ts',
    from: 'await this.#runEffects(afterCommit);',
    to: 'setTimeout(() => void this.#runEffects(afterCommit), 50);',
  },
  {
    promise: OWN_SESSION,
    defect: 'the session that changed the password ends as well',
    file: SETTER,
    from: '...(exceptSessionId !== undefined && { exceptSessionId }),',
    to: '',
  },
  {
    promise: OWN_SESSION,
    defect: 'the access token that changed the password stops working',
    file: SETTER,
    from: 'const raiseTokenVersion = exceptSessionId === undefined;',
    to: 'const raiseTokenVersion = exceptSessionId !== null;',
  },
  {
    promise: ADDRESS,
    defect: 'the changed address is not noticed when the mail is sent',
    file: 'packages/core/src/password-reset/reset-link-source.ts',
    from: 'if (user?.email !== mail.recipient || !maySignIn(user)) return false;',
    to: 'if (!user || !maySignIn(user)) return false;',
  },
  {
    promise: ALLOWANCE,
    defect: 'the allowance of reset mails refills at once',
    file: 'packages/core/src/password-reset/reset-link-source.ts',
    from: 'refillSeconds: 20 * 60',
    to: 'refillSeconds: 0',
  },
  {
    promise: ALLOWANCE,
    defect: 'the allowance of reset mails refills after the links have expired',
    file: 'packages/core/src/password-reset/reset-link-source.ts',
    from: 'refillSeconds: 20 * 60',
    to: 'refillSeconds: 60 * 60',
  },
  {
    promise: ALLOWANCE,
    defect: 'allowance that is not used adds up without end',
    file: RESETS,
    from: 'ELSE greatest(reset_mails_full_at, now()) + refill END',
    to: 'ELSE coalesce(reset_mails_full_at, now()) + refill END',
  },
  {
    promise: ALLOWANCE,
    defect: 'another attempt at the same mail counts as another mail',
    file: RESETS,
    from: 'AND (is_retried\n            OR greatest(',
    to: 'AND (false\n            OR greatest(',
  },
  {
    promise: APPROVED,
    defect: 'a moderator rejects an approved user',
    file: USER_CHANGE,
    from: "user.approvalStatus === 'APPROVED' && wanted !== 'APPROVED' ? 'deactivate' : 'approve'",
    to: "user.approvalStatus === wanted ? 'approve' : 'approve'",
  },
  {
    promise: APPROVED,
    defect: 'a moderator reactivates a deactivated user',
    file: USER_CHANGE,
    from: "const reactivates = user.approvalStatus === 'APPROVED' && !user.isActive;",
    to: "const reactivates = user.approvalStatus !== 'APPROVED' && !user.isActive && !wanted;",
  },
  {
    promise: SCOPES,
    defect: 'a session is minted without the scope',
    file: 'packages/core/src/admin/session-minting.ts',
    from: "assertHoldsScope(actorOf(administrator), 'sessions:mint');",
    to: 'void assertHoldsScope;',
  },
  {
    promise: SCOPES,
    defect: 'a session of staff is minted without the scope',
    file: 'packages/core/src/admin/session-minting.ts',
    from: 'assertMachineMayWriteTo(actorOf(administrator), user);',
    to: 'void assertMachineMayWriteTo;',
  },
  {
    promise: SCOPES,
    defect: 'a role is changed without the scope',
    file: 'packages/core/src/admin/user-administration.ts',
    from: "if (actions.includes('change-role')) assertHoldsScope(administrator, 'users:privileged');",
    to: 'void assertHoldsScope;',
  },
  {
    promise: SCOPES,
    defect: 'a user with a platform role is created without the scope',
    file: 'packages/core/src/admin/user-administration.ts',
    from: 'else assertMachineMayWriteTo(administrator, fields);',
    to: '',
  },
  {
    promise: SCOPES,
    defect: 'staff are changed without the scope',
    file: 'packages/core/src/admin/user-administration.ts',
    from: 'assertMachineMayWriteTo(administrator, target);',
    to: '',
  },
  {
    promise: SCOPES,
    defect: 'sessions of staff are ended without the scope',
    file: 'packages/core/src/admin/session-administration.ts',
    from: 'assertMachineMayWriteTo(administrator, owner);',
    to: 'void assertMachineMayWriteTo;',
  },
  {
    promise: SCOPES,
    defect: 'the role that decides on a session is not the locked one',
    file: 'packages/core/src/admin/session-administration.ts',
    from: 'const owner = found && locked.get(found.id);',
    to: 'const owner = found;',
  },
  {
    promise: SCOPES,
    defect: 'memberships of staff are written without the scope',
    file: 'packages/core/src/memberships/membership-service.ts',
    from: 'assertMachineMayWriteTo(actor, member);',
    to: 'void assertMachineMayWriteTo;',
  },
  {
    promise: SCOPES,
    defect: 'finance authority of staff is written without the scope',
    file: 'packages/core/src/memberships/finance-workflow.ts',
    from: 'if (member) assertMachineMayWriteTo(actor.machine, member);',
    to: 'void assertMachineMayWriteTo;',
  },
  {
    promise: SCOPES,
    defect: 'a password is set without the scope',
    file: 'packages/core/src/password-reset/password-administration.ts',
    from: "assertHoldsScope(actor, 'users:privileged');",
    to: 'void assertHoldsScope;',
  },
];
