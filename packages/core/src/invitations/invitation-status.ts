/**
 * The states of an invitation. `EXPIRED` is never stored: it is a pending invitation past its `expiresAt`.
 * @example
 * ```ts
 * const options = INVITATION_STATUSES.map((status) => `<option>${status}</option>`);
 * options[0]; // → '<option>PENDING</option>'
 * ```
 */
export const INVITATION_STATUSES = ['PENDING', 'ACCEPTED', 'CANCELLED', 'EXPIRED'] as const;

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
