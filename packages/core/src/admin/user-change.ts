import type { AuditEventName } from '../audit/audit-event.js';
import type { MailKind } from '../mail/mail-kind.js';
import type { RevokeReason } from '../sessions/session.js';
import { outranks, type UserAction } from '../users/authority.js';
import type { UserPatch } from '../users/user-schema.js';
import type { User } from '../users/user.js';

/** Effects of a patch on a user. Pure. */
export interface UserChange {
  /** Actions for which the administrator needs permission. */
  actions: UserAction[];
  /** True if the user gets another role. */
  changesRole: boolean;
  /** True if the user gets a role of lower rank. */
  lowersRole: boolean;
  /** True if issued access tokens become invalid. */
  raisesTokenVersion: boolean;
  /** Reason for revoking all sessions; undefined if they stay. */
  endsSessions: RevokeReason | undefined;
  /** True if an active superadmin is lost. */
  removesSuperadmin: boolean;
  /** The events of the audit rows: the most important part of the patch, and an approval in any case. */
  events: AuditEventName[];
  /** The mail about the decision on a registration; undefined if there was none. */
  decision: DecisionMail | undefined;
}

export type DecisionMail = Extract<MailKind, 'registration_approved' | 'registration_rejected'>;

const STATUS_FIELDS = ['globalRole', 'approvalStatus', 'isActive'] as const;

/**
 * Reports whether a patch could remove a superadmin: checked before any row is read, to take the locks in
 * order.
 */
export const changesStatus = (patch: UserPatch): boolean =>
  STATUS_FIELDS.some((field) => patch[field] !== undefined);

export function describeChange(user: User, patch: UserPatch): UserChange {
  const changesRole = patch.globalRole !== undefined && patch.globalRole !== user.globalRole;
  const deactivates = isDeactivation(user, patch);
  const leavesApproved =
    patch.approvalStatus !== undefined &&
    patch.approvalStatus !== 'APPROVED' &&
    user.approvalStatus === 'APPROVED';
  const wasSuperadmin =
    user.globalRole === 'PLATFORM_SUPERADMIN' && user.isActive && user.approvalStatus === 'APPROVED';
  return {
    actions: requiredActions(user, patch),
    changesRole,
    lowersRole: patch.globalRole !== undefined && outranks(user.globalRole, patch.globalRole),
    raisesTokenVersion: changesRole || deactivates || leavesApproved,
    endsSessions: deactivates ? 'deactivated' : leavesApproved ? 'approval_withdrawn' : undefined,
    removesSuperadmin: wasSuperadmin && (changesRole || deactivates || leavesApproved),
    events: eventsOf(user, patch),
    decision: decisionOf(user, patch),
  };
}

/** A user who has deleted the account could still make it active: a deactivation ends that, too. */
const isDeactivation = (user: User, patch: UserPatch): boolean =>
  patch.isActive === false && (user.isActive || user.deleteAt !== null);

/**
 * Returns the action of a change of approval. Withdrawing it locks a user out like a deactivation, so it
 * needs the same right.
 */
function decisionOf({ approvalStatus }: User, patch: UserPatch): DecisionMail | undefined {
  if (patch.approvalStatus === 'APPROVED' && approvalStatus !== 'APPROVED') return 'registration_approved';
  if (patch.approvalStatus === 'REJECTED' && approvalStatus === 'PENDING') return 'registration_rejected';
  return undefined;
}

function requiredActions(user: User, patch: UserPatch): UserAction[] {
  const { globalRole, approvalStatus, isActive, ...profile } = patch;
  const actions = new Set<UserAction>();
  if (Object.values(profile).some((value) => value !== undefined)) actions.add('edit');
  if (globalRole !== undefined) actions.add('change-role');
  if (approvalStatus !== undefined) actions.add(actionOfApproval(user, approvalStatus));
  if (isActive !== undefined) actions.add(actionOfActivity(user, isActive));
  return [...actions];
}

/** Withdrawing an approval shuts a user out as a deactivation does, so it needs the same right. */
const actionOfApproval = (user: User, wanted: User['approvalStatus']): UserAction =>
  user.approvalStatus === 'APPROVED' && wanted !== 'APPROVED' ? 'deactivate' : 'approve';

/**
 * Returns the action of a change of activity. Activating is part of approving; for an approved user it
 * reverses a deactivation.
 */
function actionOfActivity(user: User, wanted: boolean): UserAction {
  const reactivates = user.approvalStatus === 'APPROVED' && !user.isActive;
  return !wanted || reactivates ? 'deactivate' : 'approve';
}

/** An approval has a row of its own beside a new role: functions and listeners of the app wait for it. */
function eventsOf(user: User, patch: UserPatch): AuditEventName[] {
  const event = eventOf(user, patch);
  const approves = decisionOf(user, patch) === 'registration_approved';
  return approves && event !== 'user_approved' ? [event, 'user_approved'] : [event];
}

/** Returns the event of the most important part of the patch; the row lists all fields. */
function eventOf(user: User, patch: UserPatch): AuditEventName {
  if (patch.globalRole !== undefined && patch.globalRole !== user.globalRole) return 'user_role_changed';
  if (patch.approvalStatus === 'APPROVED' && user.approvalStatus !== 'APPROVED') return 'user_approved';
  if (patch.approvalStatus === 'REJECTED' && user.approvalStatus !== 'REJECTED') return 'user_rejected';
  if (isDeactivation(user, patch)) return 'user_deactivated';
  if (patch.isActive === true && !user.isActive) return 'user_reactivated';
  return 'user_updated';
}
