/** Values of `REGISTRATION_APPROVAL`. */
export const REGISTRATION_APPROVALS = ['staff', 'verified', 'none'] as const;

/**
 * `staff`: an administrator decides on each. `verified`: a user who verifies the mailbox by a mailed link is approved.
 * `none`: a registration is approved and active at once.
 */
export type RegistrationApproval = (typeof REGISTRATION_APPROVALS)[number];
