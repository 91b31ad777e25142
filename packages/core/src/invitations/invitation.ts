import { AuthError } from '../kernel/auth-error.js';
import { isPlainName } from '../kernel/plain-name.js';
import {
  isCompanyAdministrator,
  isPlatformAdministrator,
  mayEditMembership,
  mayManageCompany,
  TENANT_SUPERADMIN,
} from '../memberships/company-authority.js';
import { DEFAULT_ROLE } from '../memberships/membership-write.js';
import type { CompanyMembership, Delegation, MembershipState } from '../memberships/membership.js';
import type { GlobalRole } from '../users/user.js';
import type { InvitationStatus } from './invitation-status.js';

/** What an invited person will get. */
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
  expiresAt: Date;
  acceptedAt: Date | null;
  cancelledAt: Date | null;
  /** When its mail was last asked for or sent. */
  lastSentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * The name of the company as who invites wrote it into `metadata.companyName`, for mail and page: nobody here knows the
 * names of companies. Undefined when it is missing or could pass for something else than a name.
 */
export function companyNameOf({ metadata }: Pick<Invitation, 'metadata'>): string | undefined {
  const name = metadata?.companyName;
  return typeof name === 'string' && isPlainName(name) ? name : undefined;
}

/** Returns the name of an inviter, typed by themselves, where it can be nothing else; else null. */
export function shownInviterName(name: string | null): string | null {
  const trimmed = name?.trim() ?? '';
  return isPlainName(trimmed) ? trimmed : null;
}

/** Who invites: their rank on the platform and their place in the company. */
export interface Inviter {
  userId: string;
  globalRole: GlobalRole;
  membership: CompanyMembership | undefined;
}

/** An offer as it is asked for; without a list of modules it is settled by who asks. */
export type WantedOffer = Omit<Offer, 'moduleGrants'> & { moduleGrants?: string[] | undefined };

/** A member who may add people without administering the company. */
const isDelegate = ({ membership }: Inviter): boolean =>
  membership?.isActive === true && membership.delegation.canManageUsers;

/** Reports whether somebody may see and manage the company's invitations. */
export const mayInvite = (inviter: Inviter): boolean => mayManageCompany(inviter) || isDelegate(inviter);

/** @throws AuthError `forbidden` */
export function assertMayInvite(inviter: Inviter): void {
  if (!mayInvite(inviter)) throw AuthError.forbidden();
}

/**
 * The offer with its modules. A delegate who names none offers all they may grant: under the LEGACY policy a member
 * without grants has every module, which is more than any delegate may give.
 */
export function settleOffer(inviter: Inviter, wanted: WantedOffer): Offer {
  const own = mayManageCompany(inviter) ? [] : (inviter.membership?.delegation.grantableModules ?? []);
  return { ...wanted, moduleGrants: wanted.moduleGrants ?? own };
}

/**
 * Nobody offers more than they may give. Administrators give any module and permission, and what counts is capped
 * when access is resolved; only an `ADMIN` makes no `TENANT_SUPERADMIN`. Delegates give the role `MEMBER`, at least
 * one of the modules and any of the permissions they may grant, and hand on no delegation.
 * @throws AuthError `forbidden`
 */
export function assertMayOffer(inviter: Inviter, offer: Offer): void {
  assertMayInvite(inviter);
  const excess = excessOf(inviter, offer);
  if (excess !== undefined) throw AuthError.forbidden(excess, 'offer_exceeds_authority');
}

/** Reports whether `assertMayOffer` lets pass. */
const mayOffer = (inviter: Inviter, offer: Offer): boolean =>
  mayInvite(inviter) && excessOf(inviter, offer) === undefined;

function excessOf(inviter: Inviter, offer: Offer): string | undefined {
  if (isPlatformAdministrator(inviter.globalRole)) return undefined;
  if (!mayManageCompany(inviter)) return excessOfDelegate(offer, inviter.membership?.delegation);
  if (offer.role !== TENANT_SUPERADMIN || inviter.membership?.role === TENANT_SUPERADMIN) return undefined;
  return 'An ADMIN cannot invite a TENANT_SUPERADMIN.';
}

/** The invited user, if they have an account, and their membership of the company, which may have ended. */
export interface Invitee {
  user: { id: string; globalRole: GlobalRole };
  place: MembershipState | undefined;
}

/**
 * Joining again is held to the rules of changing a membership: whoever may not make this of the former one may not invite
 * the person either. Delegates do not bring back administrators, and nobody invites themselves. An active member is
 * turned away elsewhere.
 */
function mayInviteAgain(inviter: Inviter, { user, place }: Invitee, { role }: Offer): boolean {
  if (place?.isActive) return true;
  if (user.id === inviter.userId) return false;
  if (!place) return true;
  if (!mayManageCompany(inviter)) return !isCompanyAdministrator({ ...place, isActive: true });
  return mayEditMembership(inviter, { member: user, current: place, wanted: { role, isActive: true } });
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

/** Reports whether an offer that was made still holds, for this invitee if there is an account. */
export const mayStillOffer = (inviter: Inviter | undefined, offer: Offer, invitee?: Invitee): boolean =>
  inviter !== undefined &&
  mayOffer(inviter, offer) &&
  (invitee === undefined || mayInviteAgain(inviter, invitee, offer));

function excessOfDelegate(offer: Offer, own: Delegation | undefined): string | undefined {
  if (offer.role !== DEFAULT_ROLE) return `You may invite people as ${DEFAULT_ROLE} only.`;
  if (handsOn(offer.delegation)) return 'You may not hand on your delegation.';
  if (offer.moduleGrants.length === 0) return 'You may not invite without naming modules you may grant.';
  const isWithin =
    isSubset(offer.moduleGrants, own?.grantableModules ?? []) &&
    isSubset(offer.permissionGrants, own?.grantablePermissions ?? []);
  return isWithin ? undefined : 'You may only grant modules and permissions that are yours to grant.';
}

const handsOn = (delegation: Delegation): boolean =>
  delegation.canManageUsers ||
  delegation.canBuyAddons ||
  delegation.grantableModules.length > 0 ||
  delegation.grantablePermissions.length > 0;

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

/** @throws AuthError `conflict` that says why the invitation cannot be accepted any more. */
export function assertOpen({ status }: Pick<Invitation, 'status'>): void {
  if (status !== 'PENDING') throw AuthError.conflict(WHY_CLOSED[status], REASON_CLOSED[status]);
}

/** An expired invitation can still be sent anew or cancelled. @throws AuthError `conflict` */
export function assertChangeable({ status }: Pick<Invitation, 'status'>): void {
  if (status !== 'EXPIRED') assertOpen({ status });
}
