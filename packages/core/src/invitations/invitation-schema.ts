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

/**
 * Input of an invitation: the address and the offer; at most 16,384 characters of metadata as JSON.
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
  locale: contactInput.shape.locale,
});
/**
 * An invitation to create: the address and the offer. The role defaults to `MEMBER`.
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
 * Input of an acceptance. A new user needs a password; that of an existing user is not changed.
 * @example
 * ```ts
 * acceptInvitationInput.parse({ token: 'abc', fullName: ' Ann Berg ' }); // → { token: 'abc', fullName: 'Ann Berg' }
 * ```
 */
export const acceptInvitationInput = z.object({
  token,
  password: newPasswordInput.optional(),
  fullName: fullNameInput.optional(),
  locale: contactInput.shape.locale,
});
/**
 * The token of the link and, for a new user, the password they choose.
 * @example
 * ```ts
 * const input: AcceptInvitationInput = { token: 'not the one of the mail', password: 'a long walk home' };
 * await kit.auth.invitationAcceptance.accept(input); // →! AuthError
 * ```
 */
export type AcceptInvitationInput = z.input<typeof acceptInvitationInput>;

/**
 * Filter of the invitations of all companies.
 * @example
 * ```ts
 * invitationFilter.parse({ email: 'ANN@example.com', status: 'PENDING' }).email; // → 'ann@example.com'
 * ```
 */
export const invitationFilter = z.object({
  companyId: uuidInput.optional().describe('Only invitations to this company.'),
  email: emailInput.optional().describe('Only invitations of this address.'),
  status: z.enum(INVITATION_STATUSES).optional().describe('Only invitations in this status.'),
});
/**
 * Filter of the invitations of all companies.
 * @example
 * ```ts
 * const open: InvitationFilter = { status: 'PENDING', companyId: '018f4e6e-0000-7000-8000-00000000000a' };
 * open.status; // → 'PENDING'
 * ```
 */
export type InvitationFilter = z.input<typeof invitationFilter>;

const timestamp = z.iso.datetime();

/**
 * An invitation as inviters see it, without its token.
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
    /** The language of the mail to an address without an account; missing for that of the service. */
    locale: z.string().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Invitation' });
/**
 * An invitation and its status; times in ISO 8601.
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
 * The offer of an invitation, for the holder of its link.
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
    /** The name that the inviter wrote into `metadata.companyName`, if any. */
    companyName: z.string().optional(),
    role: z.string(),
    /** Null if no user invited, or if their name could be mistaken for something else. */
    inviterName: z.string().nullable(),
    expiresAt: timestamp,
    /** False if accepting creates a user, which needs a password. */
    userExists: z.boolean(),
  })
  .meta({ id: 'InvitationPreview' });
/**
 * The offer of an invitation: a page asks for a password when `userExists` is false.
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
 * Reply of an acceptance. A new user is signed in at once, or needs a second factor; an existing user signs in
 * as usual.
 * @example
 * ```ts
 * const [newUser, , knownUser] = acceptedInvitation.options;
 * 'accessToken' in newUser.shape; // → true
 * 'accessToken' in knownUser.shape; // → false
 * ```
 */
export const acceptedInvitation = z.union([
  tokenPair.extend({ invitation: invitationView }).meta({ id: 'InvitationTokens' }),
  secondFactorRequired.extend({ invitation: invitationView }).meta({ id: 'InvitationSecondFactor' }),
  invitationView,
]);
/**
 * Result of an acceptance: for a new user the tokens, or the required second factor, and the invitation; the
 * invitation alone otherwise.
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
