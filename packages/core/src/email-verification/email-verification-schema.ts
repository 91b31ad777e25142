import { z } from 'zod';
import { emailInput, newPasswordInput } from '../users/user-schema.js';

const token = z.string().min(1).max(1024);

/**
 * The token of a registration mail, and, unless an administrator decides on registrations, a password: the one chosen at
 * registration, or another to be set.
 * @example
 * ```ts
 * verifyEmailInput.safeParse({ password: 'a long walk home' }).error?.issues[0]?.path; // → ['token']
 * ```
 */
export const verifyEmailInput = z.object({ token, password: newPasswordInput.optional() });
/**
 * Input of `auth.emailVerification.verify`: the token of the mail, and, unless an administrator decides on registrations,
 * the password chosen at registration or a new one.
 * @example
 * ```ts
 * const input: VerifyEmailInput = { token: 'lke_unknown' };
 * await kit.auth.emailVerification.verify(input); // →! /token: is unknown, used or expired/
 * ```
 */
export type VerifyEmailInput = z.input<typeof verifyEmailInput>;

/**
 * The address to which the mail of a registration is sent again.
 * @example
 * ```ts
 * resendVerificationInput.parse({ email: 'ANN@example.com' }); // → { email: 'ann@example.com' }
 * ```
 */
export const resendVerificationInput = z.object({ email: emailInput });
/**
 * Input of `auth.emailVerification.resend`; the response is the same for an unknown address.
 * @example
 * ```ts
 * const input: ResendVerification = { email: 'unknown@example.com' };
 * await kit.auth.emailVerification.resend(input); // → { status: 'ok' }
 * ```
 */
export type ResendVerification = z.input<typeof resendVerificationInput>;

/**
 * The token of the second link of a registration mail.
 * @example
 * ```ts
 * rejectRegistrationInput.safeParse({ token: '' }).success; // → false
 * ```
 */
export const rejectRegistrationInput = z.object({ token });
/**
 * Input of `auth.emailVerification.reject`: the token of the link for recipients who did not register.
 * @example
 * ```ts
 * const input: RejectRegistration = { token: 'lke_unknown' };
 * await kit.auth.emailVerification.reject(input); // →! /token: is unknown, used or expired/
 * ```
 */
export type RejectRegistration = z.input<typeof rejectRegistrationInput>;
