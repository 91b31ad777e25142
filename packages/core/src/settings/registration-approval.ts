/** Who approves registrations. */
export const REGISTRATION_APPROVALS = ['staff', 'none'] as const;

/** `staff`: an administrator decides on each. `none`: a registration is approved and active at once. */
export type RegistrationApproval = (typeof REGISTRATION_APPROVALS)[number];
