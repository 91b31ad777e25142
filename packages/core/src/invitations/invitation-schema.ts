import { z } from 'zod';
import { delegationInput, keysInput, membershipRoleInput } from '../memberships/membership-input.js';
import { delegationView } from '../memberships/membership-schema.js';
import { tokenPair } from '../sessions/session-schema.js';
import { emailInput, fullNameInput, passwordInput } from '../users/user-schema.js';
import { INVITATION_STATUSES, type Invitation } from './invitation.js';

/** Characters of metadata as JSON: it is kept and given back, nothing more. */
const MAX_METADATA = 16_384;

const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => JSON.stringify(value).length <= MAX_METADATA,
    `at most ${MAX_METADATA} characters as JSON`,
  );

export const invitationInput = z.object({
  email: emailInput,
  role: membershipRoleInput.optional(),
  moduleGrants: keysInput.optional(),
  permissionGrants: keysInput.optional(),
  delegation: delegationInput.optional(),
  metadata: metadata.optional(),
});
export type InvitationInput = z.output<typeof invitationInput>;

const token = z.string().min(1).max(1024);

export const invitationTokenInput = z.object({ token });

/** A password is needed where the invitation makes a new user; nobody else's is touched. */
export const acceptInvitationInput = z.object({
  token,
  password: passwordInput.optional(),
  fullName: fullNameInput.optional(),
});
export type AcceptInvitationInput = z.output<typeof acceptInvitationInput>;

const timestamp = z.iso.datetime();

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
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Invitation' });
export type InvitationView = z.output<typeof invitationView>;

export const invitationPreview = z
  .object({
    email: z.string(),
    companyId: z.guid(),
    /** Known when who invited wrote it into `metadata.companyName`. */
    companyName: z.string().optional(),
    role: z.string(),
    expiresAt: timestamp,
    /** False: accepting makes a user, so a password is needed. */
    userExists: z.boolean(),
  })
  .meta({ id: 'InvitationPreview' });
export type InvitationPreview = z.output<typeof invitationPreview>;

/** A new user is signed in at once; somebody who has an account signs in by their own means. */
export const acceptedInvitation = z.union([
  tokenPair.extend({ invitation: invitationView }).meta({ id: 'InvitationTokens' }),
  invitationView,
]);
export type AcceptedInvitation = z.output<typeof acceptedInvitation>;

export function toInvitationView(invitation: Invitation): InvitationView {
  const { invitedByUserId, acceptedByUserId, acceptedAt, cancelledAt, lastSentAt, metadata } = invitation;
  return {
    ...invitation,
    invitedByUserId: invitedByUserId ?? undefined,
    acceptedByUserId: acceptedByUserId ?? undefined,
    expiresAt: invitation.expiresAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString(),
    cancelledAt: cancelledAt?.toISOString(),
    lastSentAt: lastSentAt?.toISOString(),
    metadata: metadata ?? undefined,
    createdAt: invitation.createdAt.toISOString(),
    updatedAt: invitation.updatedAt.toISOString(),
  };
}
