import { z } from 'zod';
import { uuidInput } from '../kernel/uuid-input.js';
import { delegationInput, keysInput, membershipRoleInput } from '../memberships/membership-input.js';
import { delegationView } from '../memberships/membership-schema.js';
import { tokenPair } from '../sessions/session-schema.js';
import { emailInput, fullNameInput, newPasswordInput } from '../users/user-schema.js';
import { INVITATION_STATUSES } from './invitation-status.js';
import type { Invitation } from './invitation.js';

/** Characters of metadata as JSON: it is kept and given back, nothing more. */
const MAX_METADATA = 16_384;

const metadata = z.record(z.string(), z.unknown()).refine((value) => jsonLengthOf(value) <= MAX_METADATA, {
  error: `must have at most ${MAX_METADATA} characters as JSON`,
  params: { reason: 'too_long' },
});

/** Infinite for what JSON cannot say, which a caller within the process may hand over. */
function jsonLengthOf(value: object): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Infinity;
  }
}

/**
 * Whom to invite, and what they are to get; at most 16,384 characters of metadata as JSON.
 * @example
 * ```ts
 * invitationInput.parse({ email: ' Ann@Example.com ', role: 'ADMIN' }).email; // → 'ann@example.com'
 * invitationInput.safeParse({ email: 'ann' }).error?.issues[0]?.message; // → 'must be an email address'
 * ```
 */
export const invitationInput = z.object({
  email: emailInput,
  role: membershipRoleInput.optional(),
  moduleGrants: keysInput.optional(),
  permissionGrants: keysInput.optional(),
  delegation: delegationInput.optional(),
  metadata: metadata.optional(),
});
/**
 * Whom to invite, and what they are to get; without a role they become `MEMBER`.
 * @example
 * ```ts
 * const { accessToken, companyId = '' } = await kit.user({ company: 'inviting', role: 'ADMIN' });
 * const admin = await kit.auth.authenticator.authenticateWithMemberships(accessToken);
 * const input: InvitationInput = { email: 'New@Example.com', metadata: { companyName: 'Acme' } };
 * (await kit.auth.invitations.create(admin, companyId, input)).email; // → 'new@example.com'
 * ```
 */
export type InvitationInput = z.input<typeof invitationInput>;

const token = z.string().min(1).max(1024);

/**
 * The token of an invitation's link.
 * @example
 * ```ts
 * invitationTokenInput.parse({ token: 'abc' }); // → { token: 'abc' }
 * ```
 */
export const invitationTokenInput = z.object({ token: token.describe('Token of the mailed link.') });

/**
 * A password is needed where the invitation makes a new user; nobody else's is touched.
 * @example
 * ```ts
 * acceptInvitationInput.parse({ token: 'abc', fullName: ' Ann Berg ' }); // → { token: 'abc', fullName: 'Ann Berg' }
 * ```
 */
export const acceptInvitationInput = z.object({
  token,
  password: newPasswordInput.optional(),
  fullName: fullNameInput.optional(),
});
/**
 * The token of the link and, for somebody new, the password they choose.
 * @example
 * ```ts
 * const input: AcceptInvitationInput = { token: 'not the one of the mail', password: 'a long walk home' };
 * await kit.auth.invitationAcceptance.accept(input); // →! AuthError
 * ```
 */
export type AcceptInvitationInput = z.input<typeof acceptInvitationInput>;

/**
 * Which invitations of all companies are looked for.
 * @example
 * ```ts
 * invitationFilter.parse({ email: 'ANN@example.com', status: 'PENDING' }).email; // → 'ann@example.com'
 * ```
 */
export const invitationFilter = z.object({
  companyId: uuidInput.optional(),
  email: emailInput.optional(),
  status: z.enum(INVITATION_STATUSES).optional(),
});
/**
 * Which invitations of all companies are looked for.
 * @example
 * ```ts
 * const open: InvitationFilter = { status: 'PENDING', companyId: '018f4e6e-0000-7000-8000-00000000000a' };
 * open.status; // → 'PENDING'
 * ```
 */
export type InvitationFilter = z.input<typeof invitationFilter>;

const timestamp = z.iso.datetime();

/**
 * An invitation as those see it who may invite; never its token.
 * @example
 * ```ts
 * const { accessToken, companyId = '' } = await kit.user({ company: 'inviting', role: 'ADMIN' });
 * const admin = await kit.auth.authenticator.authenticateWithMemberships(accessToken);
 * const invitation = await kit.auth.invitations.create(admin, companyId, { email: 'bo@example.com' });
 * invitationView.parse({ ...invitation, token: 'never leaves' }); // → invitation
 * ```
 */
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
/**
 * An invitation and where it stands; times in ISO 8601.
 * @example
 * ```ts
 * const isOpen = ({ status, expiresAt }: InvitationView): boolean =>
 *   status === 'PENDING' && Date.parse(expiresAt) > Date.now();
 * const { accessToken, companyId = '' } = await kit.user({ company: 'inviting', role: 'ADMIN' });
 * const admin = await kit.auth.authenticator.authenticateWithMemberships(accessToken);
 * isOpen(await kit.auth.invitations.create(admin, companyId, { email: 'bob@example.com' })); // → true
 * ```
 */
export type InvitationView = z.output<typeof invitationView>;

/**
 * What an invitation offers, for whoever has its link.
 * @example
 * ```ts
 * const offer = { email: 'ann@example.com', role: 'MEMBER', inviterName: 'Cleo', userExists: true };
 * const expiresAt = '2026-12-01T00:00:00Z';
 * const { error } = invitationPreview.safeParse({ ...offer, expiresAt, companyId: 'acme' });
 * error?.issues.map(({ path }) => path[0]); // → ['companyId']
 * ```
 */
export const invitationPreview = z
  .object({
    email: z.string(),
    companyId: z.guid(),
    /** Known when who invited wrote it into `metadata.companyName`. */
    companyName: z.string().optional(),
    role: z.string(),
    /** Null when no user invited, or when their name could pass for something else than a name. */
    inviterName: z.string().nullable(),
    expiresAt: timestamp,
    /** False: accepting makes a user, so a password is needed. */
    userExists: z.boolean(),
  })
  .meta({ id: 'InvitationPreview' });
/**
 * What an invitation offers: a page asks for a password when `userExists` is false.
 * @example
 * ```ts
 * const headingOf = ({ companyName, role }: InvitationPreview): string => `Join ${companyName ?? 'us'} as ${role}`;
 * const companyId = '018f4e6e-0000-7000-8000-00000000000a';
 * const offer = { email: 'ann@example.com', companyId, role: 'MEMBER', expiresAt: '2026-12-01T00:00:00Z' };
 * headingOf({ ...offer, inviterName: null, userExists: false }); // → 'Join us as MEMBER'
 * ```
 */
export type InvitationPreview = z.output<typeof invitationPreview>;

/**
 * A new user is signed in at once; somebody who has an account signs in by their own means.
 * @example
 * ```ts
 * const [newUser, knownUser] = acceptedInvitation.options;
 * 'accessToken' in newUser.shape; // → true
 * 'accessToken' in knownUser.shape; // → false
 * ```
 */
export const acceptedInvitation = z.union([
  tokenPair.extend({ invitation: invitationView }).meta({ id: 'InvitationTokens' }),
  invitationView,
]);
/**
 * What accepting gives: tokens and the invitation for somebody new, the invitation alone otherwise.
 * @example
 * ```ts
 * const isSignedIn = (accepted: AcceptedInvitation): boolean => 'accessToken' in accepted;
 * const { accessToken, companyId = '' } = await kit.user({ company: 'joining', role: 'ADMIN' });
 * const admin = await kit.auth.authenticator.authenticateWithMemberships(accessToken);
 * await kit.auth.invitations.create(admin, companyId, { email: 'cleo@example.com' });
 * const { token = '' } = await kit.mail.waitFor('cleo@example.com', 'invitation');
 * const person = { password: 'a long walk home', fullName: 'Cleo' };
 * isSignedIn(await kit.auth.invitationAcceptance.accept({ token, ...person })); // → true
 * ```
 */
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
