import { z } from 'zod';
import { accountTypeInput } from '../login/login-schema.js';
import { emailInput, passwordInput } from '../users/user-schema.js';

export const passwordResetRequestInput = z.object({ email: emailInput, accountType: accountTypeInput });
export type PasswordResetRequest = z.output<typeof passwordResetRequestInput>;

export const passwordResetConfirmInput = z.object({
  token: z.string().min(1).max(1024),
  newPassword: passwordInput,
});
export type PasswordResetConfirm = z.output<typeof passwordResetConfirmInput>;
