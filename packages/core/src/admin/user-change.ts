import type { AuditEventName } from '../audit/audit-event.js';
import type { MailKind } from '../mail/mail-kind.js';
import type { RevokeReason } from '../sessions/session.js';
import type { UserAction } from '../users/authority.js';
import type { UserPatch } from '../users/user-schema.js';
import type { User } from '../users/user.js';

/** What a patch means for a user as they are now. Pure. */
export interface UserChange {
  /** What an administrator must be allowed to do for it. */
  actions: UserAction[];
  /** Issued access tokens stop working. */
  raisesTokenVersion: boolean;
  /** Why all sessions end, when they do. */
  endsSessions: RevokeReason | undefined;
  /** An active superadmin loses their standing. */
  removesSuperadmin: boolean;
  event: AuditEventName;
  /** The mail that tells the user what was decided on their registration; undefined when nothing was. */
  decision: DecisionMail | undefined;
}

export type DecisionMail = Extract<MailKind, 'registration_approved' | 'registration_rejected'>;

const STANDING_FIELDS = ['globalRole', 'approvalStatus', 'isActive'] as const;

/** Reports whether a patch could take a superadmin away: decided before any row is read, to take the locks in order. */
export const changesStatus = (patch: UserPatch): boolean =>
  STANDING_FIELDS.some((field) => patch[field] !== undefined);

export function describeChange(user: User, patch: UserPatch): UserChange {
  const changesRole = patch.globalRole !== undefined && patch.globalRole !== user.globalRole;
  const deactivates = patch.isActive === false && user.isActive;
  const leavesApproved =
    patch.approvalStatus !== undefined &&
    patch.approvalStatus !== 'APPROVED' &&
    user.approvalStatus === 'APPROVED';
  const wasSuperadmin =
    user.globalRole === 'PLATFORM_SUPERADMIN' && user.isActive && user.approvalStatus === 'APPROVED';
  return {
    actions: requiredActions(user, patch),
    raisesTokenVersion: changesRole || deactivates || leavesApproved,
    endsSessions: deactivates ? 'deactivated' : leavesApproved ? 'approval_withdrawn' : undefined,
    removesSuperadmin: wasSuperadmin && (changesRole || deactivates || leavesApproved),
    event: eventOf(user, patch),
    decision: decisionOf(user, patch),
  };
}

/** Taking an approval back is no answer to a registration: that one was given before. */
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

/** Activating is part of approving, until the user is approved: then somebody has deactivated them. */
function actionOfActivity(user: User, wanted: boolean): UserAction {
  const reactivates = user.approvalStatus === 'APPROVED' && !user.isActive;
  return !wanted || reactivates ? 'deactivate' : 'approve';
}

/** The weightiest thing a patch does gives the audit row its name; the row lists all fields. */
function eventOf(user: User, patch: UserPatch): AuditEventName {
  if (patch.globalRole !== undefined && patch.globalRole !== user.globalRole) return 'user_role_changed';
  if (patch.approvalStatus === 'APPROVED' && user.approvalStatus !== 'APPROVED') return 'user_approved';
  if (patch.approvalStatus === 'REJECTED' && user.approvalStatus !== 'REJECTED') return 'user_rejected';
  if (patch.isActive === false && user.isActive) return 'user_deactivated';
  if (patch.isActive === true && !user.isActive) return 'user_reactivated';
  return 'user_updated';
}
