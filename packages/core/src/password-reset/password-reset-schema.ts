import { z } from 'zod';
import { accountTypeInput } from '../login/login-schema.js';
import { emailInput, newPasswordInput } from '../users/user-schema.js';

/**
 * The address to which a reset link is sent.
 * @example
 * ```ts
 * passwordResetRequestInput.parse({ email: 'ANN@example.com' }); // → { email: 'ann@example.com' }
 * ```
 */
export const passwordResetRequestInput = z.object({ email: emailInput, accountType: accountTypeInput });
/**
 * Input of `auth.passwordReset.request`; the response is the same for an unknown address.
 * @example
 * ```ts
 * const request: PasswordResetRequest = { email: 'unknown@example.com' };
 * await kit.auth.passwordReset.request(request); // → { status: 'ok' }
 * ```
 */
export type PasswordResetRequest = z.input<typeof passwordResetRequestInput>;

/**
 * The token of a reset link and the new password.
 * @example
 * ```ts
 * passwordResetConfirmInput.safeParse({ token: '', newPassword: 'a long walk home' }).success; // → false
 * ```
 */
export const passwordResetConfirmInput = z.object({
  token: z.string().min(1).max(1024),
  newPassword: newPasswordInput,
});
/**
 * Input of `auth.passwordReset.confirm`: the token of the mail, and a password that satisfies the policy.
 * @example
 * ```ts
 * const { email } = await kit.user();
 * await kit.auth.passwordReset.request({ email });
 * const { token = '' } = await kit.mail.waitFor(email, 'password_reset');
 * const input: PasswordResetConfirm = { token, newPassword: 'another long walk home' };
 * await kit.auth.passwordReset.confirm(input); // → { status: 'ok' }
 * ```
 */
export type PasswordResetConfirm = z.input<typeof passwordResetConfirmInput>;

/**
 * A password that an administrator sets for another user.
 * @example
 * ```ts
 * passwordToSetInput.parse({ password: 'a long walk home' }).removePasskeys; // → false
 * ```
 */
export const passwordToSetInput = z.object({
  password: newPasswordInput,
  /** True removes the passkeys of the user. Defaults to false. */
  removePasskeys: z.boolean().default(false),
});
/**
 * The password that an operator sets for a user; passkeys stay unless `removePasskeys` is true.
 * @example
 * ```ts
 * const input: PasswordToSet = { password: 'another long walk home', removePasskeys: true };
 * const { id } = await kit.user();
 * const done = await kit.auth.admin.passwords.set({ kind: 'operator', name: 'alice' }, id, input);
 * done.endedSessions; // → 1
 * ```
 */
export type PasswordToSet = z.input<typeof passwordToSetInput>;
