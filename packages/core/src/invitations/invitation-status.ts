/** The states of an invitation. `EXPIRED` is never stored: it is a pending invitation past its `expiresAt`. */
export const INVITATION_STATUSES = ['PENDING', 'ACCEPTED', 'CANCELLED', 'EXPIRED'] as const;

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
