import { z } from 'zod';
import { accountTypeInput } from '../login/login-schema.js';
import { emailInput, newPasswordInput } from '../users/user-schema.js';

/**
 * The address that a reset link is asked for.
 * @example
 * ```ts
 * passwordResetRequestInput.parse({ email: 'ANN@example.com' }); // → { email: 'ann@example.com' }
 * ```
 */
export const passwordResetRequestInput = z.object({ email: emailInput, accountType: accountTypeInput });
/**
 * What `auth.passwordReset.request` takes; the answer is the same for an address nobody has.
 * @example
 * ```ts
 * const request: PasswordResetRequest = { email: 'nobody@example.com' };
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
 * What `auth.passwordReset.confirm` takes: the token of the mail, and a password that satisfies the policy.
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
 * A password that somebody else sets.
 * @example
 * ```ts
 * passwordToSetInput.parse({ password: 'a long walk home' }).removePasskeys; // → false
 * ```
 */
export const passwordToSetInput = z.object({
  password: newPasswordInput,
  /** Whether passkeys go with the old password; they stay otherwise. */
  removePasskeys: z.boolean().default(false),
});
/**
 * The password an operator sets for somebody; passkeys stay unless `removePasskeys` is true.
 * @example
 * ```ts
 * const input: PasswordToSet = { password: 'another long walk home', removePasskeys: true };
 * const { id } = await kit.user();
 * const done = await kit.auth.passwordAdministration.set({ kind: 'operator', name: 'alice' }, id, input);
 * done.endedSessions; // → 1
 * ```
 */
export type PasswordToSet = z.input<typeof passwordToSetInput>;
