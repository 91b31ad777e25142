import { z } from 'zod';
import { uuidInput } from '../kernel/uuid-input.js';
import { delegationInput, keysInput, membershipRoleInput } from '../memberships/membership-input.js';
import { delegationView } from '../memberships/membership-schema.js';
import { tokenPair } from '../sessions/session-schema.js';
import { secondFactorRequired } from '../sessions/sign-in-schema.js';
import { contactInput, emailInput, fullNameInput, newPasswordInput } from '../users/user-schema.js';
import { INVITATION_STATUSES } from './invitation-status.js';
import type { Invitation } from './invitation.js';

/** Maximum length of metadata as JSON, in characters: it is stored and returned, nothing more. */
const MAX_METADATA = 16_384;

const metadata = z.record(z.string(), z.unknown()).refine((value) => jsonLengthOf(value) <= MAX_METADATA, {
  error: `must have at most ${MAX_METADATA} characters as JSON`,
  params: { reason: 'too_long' },
});

/**
 * Returns the length of a value as JSON; infinite for values that JSON cannot represent, which a caller
 * within the process may pass.
 */
function jsonLengthOf(value: object): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Infinity;
  }
}

/** Input of an invitation: the address and the offer; at most 16,384 characters of metadata as JSON. */
export const invitationInput = z.object({
  email: emailInput,
  role: membershipRoleInput.optional(),
  moduleGrants: keysInput.optional(),
  permissionGrants: keysInput.optional(),
  delegation: delegationInput.optional(),
  metadata: metadata.optional(),
  locale: contactInput.shape.locale,
});
/** An invitation to create: the address and the offer. The role defaults to `MEMBER`. */
export type InvitationInput = z.input<typeof invitationInput>;

const token = z.string().min(1).max(1024);

/** The token of an invitation's link. */
export const invitationTokenInput = z.object({ token: token.describe('Token of the mailed link.') });

/** Input of an acceptance. A new user needs a password; that of an existing user is not changed. */
export const acceptInvitationInput = z.object({
  token,
  password: newPasswordInput.optional(),
  fullName: fullNameInput.optional(),
  locale: contactInput.shape.locale,
});
/** The token of the link and, for a new user, the password they choose. */
export type AcceptInvitationInput = z.input<typeof acceptInvitationInput>;

/** Schema of a filter of invitations. */
export const invitationFilter = z.object({
  companyId: uuidInput.optional().describe('Only invitations to this company.'),
  email: emailInput.optional().describe('Only invitations of this address.'),
  status: z.enum(INVITATION_STATUSES).optional().describe('Only invitations in this status.'),
});
/** Filter of the invitations of all companies. */
export type InvitationFilter = z.input<typeof invitationFilter>;

const timestamp = z.iso.datetime();

/** An invitation as inviters see it, without its token. */
export const invitationView = z
  .object({
    id: z.guid(),
    email: z.string(),
    companyId: z.guid(),
    role: z.string(),
    status: z.enum(INVITATION_STATUSES),
    invitedByUserId: z.guid().optional(),
    acceptedByUserId: z.guid().optional(),
    expiresAt: timestamp,
    acceptedAt: timestamp.optional(),
    cancelledAt: timestamp.optional(),
    lastSentAt: timestamp.optional(),
    moduleGrants: z.array(z.string()),
    permissionGrants: z.array(z.string()),
    delegation: delegationView,
    metadata: z.record(z.string(), z.unknown()).optional(),
    /** The language of the mail to an address without an account; missing for that of the service. */
    locale: z.string().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Invitation' });
/** An invitation and its status; times in ISO 8601. */
export type InvitationView = z.output<typeof invitationView>;

/** The offer of an invitation, for the holder of its link. */
export const invitationPreview = z
  .object({
    email: z.string(),
    companyId: z.guid(),
    /** The name that the entitlements of the company have, else the one that the inviter wrote into `metadata.companyName`. */
    companyName: z.string().optional(),
    role: z.string(),
    /** Null if no user invited, or if their name could be mistaken for something else. */
    inviterName: z.string().nullable(),
    expiresAt: timestamp,
    /** False if accepting creates a user, which needs a password. */
    userExists: z.boolean(),
  })
  .meta({ id: 'InvitationPreview' });
/** The offer of an invitation: a page asks for a password when `userExists` is false. */
export type InvitationPreview = z.output<typeof invitationPreview>;

/** Reply of an acceptance. */
export const acceptedInvitation = z.union([
  tokenPair.extend({ invitation: invitationView }).meta({ id: 'InvitationTokens' }),
  secondFactorRequired.extend({ invitation: invitationView }).meta({ id: 'InvitationSecondFactor' }),
  invitationView,
]);
/**
 * Result of an acceptance: for a new user the tokens, or the required second factor, and the invitation; the
 * invitation alone otherwise.
 */
export type AcceptedInvitation = z.output<typeof acceptedInvitation>;

export function toInvitationView(invitation: Invitation): InvitationView {
  const { invitedByUserId, acceptedByUserId, acceptedAt, cancelledAt, lastSentAt, metadata, locale } =
    invitation;
  return {
    ...invitation,
    invitedByUserId: invitedByUserId ?? undefined,
    acceptedByUserId: acceptedByUserId ?? undefined,
    expiresAt: invitation.expiresAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString(),
    cancelledAt: cancelledAt?.toISOString(),
    lastSentAt: lastSentAt?.toISOString(),
    metadata: metadata ?? undefined,
    locale: locale ?? undefined,
    createdAt: invitation.createdAt.toISOString(),
    updatedAt: invitation.updatedAt.toISOString(),
  };
}
