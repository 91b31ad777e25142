import { z } from 'zod';
import { emailInput, newPasswordInput } from '../users/user-schema.js';

const token = z.string().min(1).max(1024);

/** Schema of the proof of a mailbox. */
export const verifyEmailInput = z.object({ token, password: newPasswordInput.optional() });
/**
 * Input of `auth.emailVerification.verify`: the token of the mail, and, unless an administrator decides on registrations,
 * the password chosen at registration or a new one.
 */
export type VerifyEmailInput = z.input<typeof verifyEmailInput>;

/** The address to which the mail of a registration is sent again. */
export const resendVerificationInput = z.object({ email: emailInput });
/** Input of `auth.emailVerification.resend`; the response is the same for an unknown address. */
export type ResendVerification = z.input<typeof resendVerificationInput>;

/** The token of the second link of a registration mail. */
export const rejectRegistrationInput = z.object({ token });
/** Input of `auth.emailVerification.reject`: the token of the link for recipients who did not register. */
export type RejectRegistration = z.input<typeof rejectRegistrationInput>;

/** Schema of the token of the link that proves a mailbox. */
export const verificationTokenInput = z.object({ token });
/** Input of `auth.emailVerification.preview`: the token of the mail. */
export type VerificationToken = z.input<typeof verificationTokenInput>;

/** Schema of what a link of a registration mail is about. */
export const verificationPreview = z
  .object({
    email: z.string().meta({ description: 'The address that is confirmed; the mail went there.' }),
  })
  .meta({ id: 'VerificationPreview' });
/** The address that a link of a registration mail confirms. */
export type VerificationPreview = z.output<typeof verificationPreview>;
