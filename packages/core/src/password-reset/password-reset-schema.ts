import { z } from 'zod';
import { accountTypeInput } from '../login/login-schema.js';
import { emailInput, newPasswordInput } from '../users/user-schema.js';

/** The address to which a reset link is sent. */
export const passwordResetRequestInput = z.object({ email: emailInput, accountType: accountTypeInput });
/** Input of `auth.passwordReset.request`; the response is the same for an unknown address. */
export type PasswordResetRequest = z.input<typeof passwordResetRequestInput>;

/** The token of a reset link and the new password. */
export const passwordResetConfirmInput = z.object({
  token: z.string().min(1).max(1024),
  newPassword: newPasswordInput,
});
/** Input of `auth.passwordReset.confirm`: the token of the mail, and a password that satisfies the policy. */
export type PasswordResetConfirm = z.input<typeof passwordResetConfirmInput>;

/** A password that an administrator sets for another user. */
export const passwordToSetInput = z.object({
  password: newPasswordInput,
  /** True removes the passkeys of the user. Defaults to false. */
  removePasskeys: z.boolean().default(false),
});
/** The password that an operator sets for a user; passkeys stay unless `removePasskeys` is true. */
export type PasswordToSet = z.input<typeof passwordToSetInput>;
