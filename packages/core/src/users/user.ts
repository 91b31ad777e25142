import { AuthError } from '../kernel/auth-error.js';

export const GLOBAL_ROLES = ['NONE', 'PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'] as const;
export type GlobalRole = (typeof GLOBAL_ROLES)[number];

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const AUTH_PROVIDERS = ['password', 'google', 'microsoft', 'sso', 'other'] as const;
export type AuthProvider = (typeof AUTH_PROVIDERS)[number];

export interface User {
  id: string;
  /** Canonical form, see `email.ts`. */
  email: string;
  fullName: string | null;
  phonePrefix: string | null;
  phoneNumber: string | null;
  profilePictureUrl: string | null;
  authProvider: AuthProvider;
  globalRole: GlobalRole;
  approvalStatus: ApprovalStatus;
  isActive: boolean;
  tokenVersion: number;
  legacyIds: Record<string, string>;
  createdAt: Date;
  updatedAt: Date;
  lastLoginAt: Date | null;
}

/** What decides whether a person may sign in. */
export type SignInState = Pick<User, 'approvalStatus' | 'isActive'>;

/**
 * Lets pass only a user who may sign in.
 * @throws AuthError `pending_approval`, `registration_rejected` or `account_inactive`, in this order.
 */
export function assertMaySignIn(user: SignInState): void {
  if (user.approvalStatus === 'PENDING') {
    throw new AuthError('pending_approval', 'This account is waiting for approval.');
  }
  if (user.approvalStatus === 'REJECTED') {
    throw new AuthError('registration_rejected', 'The registration of this account was rejected.');
  }
  if (!user.isActive) throw new AuthError('account_inactive', 'This account is deactivated.');
}

export const maySignIn = (user: SignInState): boolean => user.isActive && user.approvalStatus === 'APPROVED';
