import { AuthError } from '../kernel/auth-error.js';
import { isPlainName } from '../kernel/plain-name.js';
import {
  isCompanyAdministrator,
  isPlatformAdministrator,
  mayEditMembership,
  mayManageCompany,
  TENANT_SUPERADMIN,
} from '../memberships/company-authority.js';
import { handsOn, heldDelegation } from '../memberships/held-grants.js';
import { DEFAULT_ROLE } from '../memberships/membership-write.js';
import type {
  CompanyMembership,
  Delegation,
  MembershipState,
  RoleContents,
} from '../memberships/membership.js';
import type { GlobalRole } from '../users/user.js';
import type { InvitationStatus } from './invitation-status.js';

/** The role, grants and delegation that an invited person will get. */
export interface Offer {
  role: string;
  moduleGrants: string[];
  permissionGrants: string[];
  delegation: Delegation;
}

/** An offer to join a company. */
export interface Invitation extends Offer {
  id: string;
  companyId: string;
  /** Canonical form. */
  email: string;
  /** As the database's clock sees it: pending past `expiresAt` is `EXPIRED`. */
  status: InvitationStatus;
  invitedByUserId: string | null;
  acceptedByUserId: string | null;
  metadata: Record<string, unknown> | null;
  /** The language of the mail to an address without an account, and of the account that accepts. */
  locale: string | null;
  expiresAt: Date;
  acceptedAt: Date | null;
  cancelledAt: Date | null;
  /** Time at which its mail was last requested or sent. */
  lastSentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Returns the company name that the inviter wrote into `metadata.companyName`, for mail and page of a company whose
 * entitlements have no name. Undefined when it is missing or could be mistaken for something else.
 */
export function companyNameOf({ metadata }: Pick<Invitation, 'metadata'>): string | undefined {
  const name = metadata?.companyName;
  return typeof name === 'string' && isPlainName(name) ? name : undefined;
}

/**
 * Returns the name of an inviter, typed by themselves, if it cannot be mistaken for something else; else
 * null.
 */
export function shownInviterName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  return isPlainName(trimmed) ? trimmed : null;
}

/** An inviter: their role on the platform and their membership of the company. */
export interface Inviter {
  userId: string;
  globalRole: GlobalRole;
  membership: CompanyMembership | undefined;
  /** The definition of `MEMBER` in the company, which delegates offer; undefined without one, or if it is not read yet. */
  memberRole?: RoleContents | undefined;
}

/** An offer as requested; a missing list of modules is completed by `settleOffer`. */
type WantedOffer = Omit<Offer, 'moduleGrants'> & { moduleGrants?: string[] | undefined };

/** Reports whether a member may add people without administering the company. */
const isDelegate = ({ membership }: Inviter): boolean =>
  membership?.isActive === true && heldDelegation(membership).canManageUsers;

/**
 * Reports whether a user may see and manage the company's invitations.
 * @example
 * ```ts
 * mayInvite({ userId: '4711', globalRole: 'PLATFORM_ADMIN', membership: undefined }); // → true
 * mayInvite({ userId: '4711', globalRole: 'NONE', membership: undefined }); // → false
 * ```
 */
export const mayInvite = (inviter: Inviter): boolean => mayManageCompany(inviter) || isDelegate(inviter);

/** @throws AuthError `forbidden` */
export function assertMayInvite(inviter: Inviter): void {
  if (!mayInvite(inviter)) throw AuthError.forbidden();
}

/**
 * Returns the offer with its modules. A delegate who names none offers all they may grant: under the LEGACY
 * policy a member without grants has every module, which is more than any delegate may give.
 */
export function settleOffer(inviter: Inviter, wanted: WantedOffer): Offer {
  const own = mayManageCompany(inviter) ? [] : delegationOf(inviter)?.grantableModules;
  return { ...wanted, moduleGrants: wanted.moduleGrants ?? own ?? [] };
}

/**
 * Throws if the inviter offers more than they may give. Administrators give any module and permission,
 * limited when access is resolved; an `ADMIN` may not make a `TENANT_SUPERADMIN`. Delegates give the role
 * `MEMBER`, at least one of the modules and any of the permissions they may grant, and no delegation; what a definition of
 * `MEMBER` contains is part of the offer.
 * @throws AuthError `forbidden`
 */
export function assertMayOffer(inviter: Inviter, offer: Offer): void {
  assertMayInvite(inviter);
  const excess = excessOf(inviter, offer);
  if (excess !== undefined) throw AuthError.forbidden(excess, 'offer_exceeds_authority');
}

/** Reports whether `assertMayOffer` does not throw. */
const mayOffer = (inviter: Inviter, offer: Offer): boolean =>
  mayInvite(inviter) && excessOf(inviter, offer) === undefined;

function excessOf(inviter: Inviter, offer: Offer): string | undefined {
  if (isPlatformAdministrator(inviter.globalRole)) return undefined;
  if (!mayManageCompany(inviter)) return excessOfDelegate(offer, inviter);
  if (offer.role !== TENANT_SUPERADMIN || inviter.membership?.role === TENANT_SUPERADMIN) return undefined;
  return 'An ADMIN cannot invite a TENANT_SUPERADMIN.';
}

/** The invited user, if they have an account, and their membership of the company, which may have ended. */
export interface Invitee {
  user: { id: string; globalRole: GlobalRole };
  membership: MembershipState | undefined;
}

/**
 * Reports whether a former member may be invited. The rules of changing a membership apply: an inviter who
 * may not change the former membership this way may not invite the person either. Delegates do not bring back
 * administrators, and users do not invite themselves. An active member is rejected elsewhere.
 */
function mayInviteAgain(inviter: Inviter, { user, membership }: Invitee, { role }: Offer): boolean {
  if (membership?.isActive) return true;
  if (user.id === inviter.userId) return false;
  if (!membership) return true;
  if (!mayManageCompany(inviter)) return !isCompanyAdministrator({ ...membership, isActive: true });
  return mayEditMembership(inviter, { member: user, current: membership, wanted: { role, isActive: true } });
}

/** @throws AuthError `forbidden` */
export function assertMayInviteAgain(inviter: Inviter, invitee: Invitee, offer: Offer): void {
  if (!mayInviteAgain(inviter, invitee, offer)) {
    throw AuthError.forbidden(
      'You may not invite this person: their former membership is not yours to change.',
      'former_membership_protected',
    );
  }
}

/** Reports whether an offer is still valid, for this invitee if there is an account. */
export const mayStillOffer = (inviter: Inviter | undefined, offer: Offer, invitee?: Invitee): boolean =>
  inviter !== undefined &&
  mayOffer(inviter, offer) &&
  (invitee === undefined || mayInviteAgain(inviter, invitee, offer));

const delegationOf = ({ membership }: Inviter): Delegation | undefined =>
  membership && heldDelegation(membership);

function excessOfDelegate(offer: Offer, inviter: Inviter): string | undefined {
  const { memberRole } = inviter;
  if (offer.role !== DEFAULT_ROLE) return `You may invite people as ${DEFAULT_ROLE} only.`;
  if (handsOn(offer)) return 'You may not hand on your delegation.';
  if (offer.moduleGrants.length === 0) return 'You may not invite without naming modules you may grant.';
  if (!isWithin(offer.moduleGrants, offer.permissionGrants, inviter))
    return 'You may only grant modules and permissions that are yours to grant.';
  if (!memberRole) return undefined;
  return !handsOn(memberRole) && isWithin(memberRole.modules, memberRole.permissions, inviter)
    ? undefined
    : `The role ${DEFAULT_ROLE} of this company has more than you may grant. Ask an administrator to invite.`;
}

function isWithin(modules: readonly string[], permissions: readonly string[], inviter: Inviter): boolean {
  const own = delegationOf(inviter);
  return (
    isSubset(modules, own?.grantableModules ?? []) && isSubset(permissions, own?.grantablePermissions ?? [])
  );
}

const isSubset = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((key) => whole.includes(key));

const WHY_CLOSED: Record<Exclude<InvitationStatus, 'PENDING'>, string> = {
  ACCEPTED: 'This invitation was accepted already.',
  CANCELLED: 'This invitation was cancelled.',
  EXPIRED: 'This invitation has expired.',
};

const REASON_CLOSED = {
  ACCEPTED: 'invitation_accepted',
  CANCELLED: 'invitation_cancelled',
  EXPIRED: 'invitation_expired',
} as const;

/** Throws unless the invitation is open. @throws AuthError `conflict` with the reason. */
export function assertOpen({ status }: Pick<Invitation, 'status'>): void {
  if (status !== 'PENDING') throw AuthError.conflict(WHY_CLOSED[status], REASON_CLOSED[status]);
}

/**
 * Throws if the invitation is closed; an expired one can still be sent again or cancelled.
 * @throws AuthError `conflict`
 */
export function assertChangeable({ status }: Pick<Invitation, 'status'>): void {
  if (status !== 'EXPIRED') assertOpen({ status });
}
