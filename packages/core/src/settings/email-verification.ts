/** Values of `EMAIL_VERIFICATION`. */
export const EMAIL_VERIFICATIONS = ['off', 'offer', 'required'] as const;

/**
 * `off`: no mail contains a link that proves the mailbox. `offer`: the mail of a registration contains one. `required`: a
 * user whose mailbox is not proved cannot sign in, and their registration cannot be approved.
 */
export type EmailVerification = (typeof EMAIL_VERIFICATIONS)[number];
