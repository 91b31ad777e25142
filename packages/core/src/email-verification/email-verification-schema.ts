import { z } from 'zod';
import { newPasswordInput } from '../users/user-schema.js';

/**
 * The token of a registration mail, and a password: the one chosen at registration, or another to be set.
 * @example
 * ```ts
 * verifyEmailInput.safeParse({ token: 'lke_x' }).error?.issues[0]?.path; // → ['password']
 * ```
 */
export const verifyEmailInput = z.object({
  token: z.string().min(1).max(1024),
  password: newPasswordInput,
});
/**
 * Input of `auth.emailVerification.verify`: the token of the mail, and the password chosen at registration or
 * a new one.
 * @example
 * ```ts
 * const input: VerifyEmailInput = { token: 'lke_unknown', password: 'a long walk home' };
 * await kit.auth.emailVerification.verify(input); // →! /token: is unknown, used or expired/
 * ```
 */
export type VerifyEmailInput = z.input<typeof verifyEmailInput>;
