import { z } from 'zod';
import { AUTH_PROVIDERS } from '../users/user.js';
import { contactInput, emailInput, fullNameInput, passwordInput } from '../users/user-schema.js';

/** `vendor` is answered with `not_implemented`; there is no `admin` kind, administrators are internal users. */
export const accountTypeInput = z.enum(['', 'internal', 'auto', 'vendor']).optional();

export const loginInput = z.object({
  email: emailInput,
  password: passwordInput,
  accountType: accountTypeInput,
});
export type LoginInput = z.output<typeof loginInput>;

export const registerInput = contactInput.extend({
  email: emailInput,
  password: passwordInput,
  fullName: fullNameInput,
  authProvider: z.enum(AUTH_PROVIDERS).default('password'),
});
export type RegisterInput = z.output<typeof registerInput>;

export const registration = z
  .object({ email: z.string(), status: z.literal('pending') })
  .meta({ id: 'Registration' });
export type Registration = z.output<typeof registration>;

export const changePasswordInput = z.object({ currentPassword: passwordInput, newPassword: passwordInput });
export type ChangePasswordInput = z.output<typeof changePasswordInput>;
