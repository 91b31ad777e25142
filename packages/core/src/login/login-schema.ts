import { z } from 'zod';
import {
  contactInput,
  emailInput,
  fullNameInput,
  newPasswordInput,
  passwordInput,
} from '../users/user-schema.js';
import { AUTH_PROVIDERS } from '../users/user.js';

/**
 * The kind of account: `vendor` returns `not_implemented`; there is no `admin` kind, administrators are
 * internal users.
 */
export const accountTypeInput = z.enum(['', 'internal', 'auto', 'vendor']).optional();

/** An address in any spelling and a password; `accountType` may be left out. */
export const loginInput = z.object({
  email: emailInput,
  password: passwordInput,
  accountType: accountTypeInput,
});
/** Input of `auth.login.withPassword`; the address in any spelling. */
export type LoginInput = z.input<typeof loginInput>;

/** Input of a registration; the password policy is checked by the service. */
export const registerInput = contactInput.extend({
  email: emailInput,
  password: newPasswordInput,
  fullName: fullNameInput,
  authProvider: z.enum(AUTH_PROVIDERS).default('password'),
});
/** Input of `auth.registration.register`. */
export type RegisterInput = z.input<typeof registerInput>;

/** Reply of a registration, the same whether or not the address was taken. */
export const registration = z
  .object({ email: z.string(), status: z.enum(['pending', 'approved']) })
  .meta({ id: 'Registration' });
/**
 * The result of a registration: waiting for approval or for the proof of the mailbox, or approved already
 * (`REGISTRATION_APPROVAL`).
 */
export type Registration = z.output<typeof registration>;

/** The old password and the new one. */
export const changePasswordInput = z.object({
  currentPassword: passwordInput,
  newPassword: newPasswordInput,
});
/** Input of `auth.passwords.change`; the new password must satisfy the policy. */
export type ChangePasswordInput = z.input<typeof changePasswordInput>;
