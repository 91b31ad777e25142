import { AuthError } from '../kernel/auth-error.js';
import { userErased } from '../kernel/user-erased.js';
import type { ProfileValues } from './profile-fields.js';

/** The roles on the platform; `NONE` for users who are not staff. */
export const GLOBAL_ROLES = ['NONE', 'PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'] as const;
/** A user's role on the platform, apart from their roles in companies. */
export type GlobalRole = (typeof GLOBAL_ROLES)[number];

/** Orders of the list of users; a minus reverses one. */
export const USER_SORTS = ['-createdAt', 'createdAt', 'email', '-email', 'fullName', '-fullName'] as const;

/** The states of a registration: only `APPROVED` users sign in. */
export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;
/** The state of a user's registration. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const AUTH_PROVIDERS = ['password', 'google', 'microsoft', 'sso', 'other'] as const;
export type AuthProvider = (typeof AUTH_PROVIDERS)[number];

/** A user as stored, without the password. */
export interface User extends ProfileValues {
  id: string;
  /** Canonical form, see `email.ts`. */
  email: string;
  fullName: string | null;
  /**
   * Time at which the mailbox was proved to be the user's; null for a registration that was never confirmed.
   */
  emailVerifiedAt: Date | null;
  authProvider: AuthProvider;
  globalRole: GlobalRole;
  approvalStatus: ApprovalStatus;
  isActive: boolean;
  tokenVersion: number;
  legacyIds: Record<string, string>;
  createdAt: Date;
  updatedAt: Date;
  lastLoginAt: Date | null;
  /** Time at which the account is deleted, as its user asked; until then it is inactive. Null for all others. */
  deleteAt: Date | null;
  /** Time at which the personal data was erased: what is left is a tombstone that never changes. */
  erasedAt: Date | null;
}

/** Fields that decide whether a user may sign in. */
export type SignInState = Pick<User, 'approvalStatus' | 'isActive'> & Partial<Pick<User, 'deleteAt'>>;

/**
 * Throws unless the user may sign in.
 * @throws AuthError `pending_approval`, `registration_rejected` or `account_inactive`, in this order; the last with the reason `deletion_pending` if the user has
 * deleted the account and can still undo that.
 */
export function assertMaySignIn(user: SignInState): void {
  if (user.approvalStatus === 'PENDING') {
    throw new AuthError('pending_approval', 'This account is waiting for approval.');
  }
  if (user.approvalStatus === 'REJECTED') {
    throw new AuthError('registration_rejected', 'The registration of this account was rejected.');
  }
  if (user.isActive) return;
  if (!user.deleteAt) throw new AuthError('account_inactive', 'This account is deactivated.');
  throw new AuthError(
    'account_inactive',
    'This account is about to be deleted, as its user asked. Open the link in the mail to keep it, or have the link sent again.',
    { reason: 'deletion_pending' },
  );
}

export const maySignIn = (user: SignInState): boolean => user.isActive && user.approvalStatus === 'APPROVED';

/** Throws if the personal data of the user was erased. @throws AuthError `conflict` */
export function assertNotErased(user: Pick<User, 'erasedAt'> | undefined): void {
  if (user?.erasedAt) throw userErased();
}
