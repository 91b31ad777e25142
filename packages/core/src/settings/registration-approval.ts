/** Who approves registrations. */
export const REGISTRATION_APPROVALS = ['staff', 'verified', 'none'] as const;

/**
 * `staff`: an administrator decides on each. `verified`: whoever proves the mailbox by the link of a mail is approved. `none`: a registration is approved and active at once.
 */
export type RegistrationApproval = (typeof REGISTRATION_APPROVALS)[number];
