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

/**
 * An address in any spelling and a password; `accountType` may be left out.
 * @example
 * ```ts
 * const { email, password } = loginInput.parse({ email: ' Ann@Example.com', password: ' as typed ' });
 * [email, password]; // → ['ann@example.com', ' as typed ']
 * ```
 */
export const loginInput = z.object({
  email: emailInput,
  password: passwordInput,
  accountType: accountTypeInput,
});
/**
 * Input of `auth.login.withPassword`; the address in any spelling.
 * @example
 * ```ts
 * const { email, password } = await kit.user();
 * const input: LoginInput = { email: email.toUpperCase(), password };
 * 'accessToken' in (await kit.auth.login.withPassword(input)); // → true
 * ```
 */
export type LoginInput = z.input<typeof loginInput>;

/**
 * Input of a registration; the password policy is checked by the service.
 * @example
 * ```ts
 * const input = { email: 'ann@example.com', password: 'a long walk home', fullName: ' Ann Berg ', phoneNumber: '' };
 * const { fullName, phoneNumber } = registerInput.parse(input);
 * [fullName, phoneNumber]; // → ['Ann Berg', undefined]
 * ```
 */
export const registerInput = contactInput.extend({
  email: emailInput,
  password: newPasswordInput,
  fullName: fullNameInput,
  authProvider: z.enum(AUTH_PROVIDERS).default('password'),
});
/**
 * Input of `auth.registration.register`.
 * @example
 * ```ts
 * const ann: RegisterInput = { email: 'ann.berg@example.com', password: 'a long walk home', fullName: 'Ann Berg' };
 * (await kit.auth.registration.register(ann)).status; // → 'pending'
 * ```
 */
export type RegisterInput = z.input<typeof registerInput>;

/**
 * Reply of a registration, the same whether or not the address was taken.
 * @example
 * ```ts
 * const answer = { email: 'ann@example.com', status: 'pending' };
 * registration.parse({ ...answer, userId: 'for staff only' }); // → answer
 * ```
 */
export const registration = z
  .object({ email: z.string(), status: z.enum(['pending', 'approved']) })
  .meta({ id: 'Registration' });
/**
 * The result of a registration: waiting for approval or for the proof of the mailbox, or approved already
 * (`REGISTRATION_APPROVAL`).
 * @example
 * ```ts
 * const textOf = ({ email }: Registration): string => `We write to ${email} once you are approved.`;
 * textOf({ email: 'ann@example.com', status: 'pending' }); // → 'We write to ann@example.com once you are approved.'
 * ```
 */
export type Registration = z.output<typeof registration>;

/**
 * The old password and the new one.
 * @example
 * ```ts
 * changePasswordInput.safeParse({ newPassword: 'a long walk home' }).error?.issues[0]?.path; // → ['currentPassword']
 * ```
 */
export const changePasswordInput = z.object({
  currentPassword: passwordInput,
  newPassword: newPasswordInput,
});
/**
 * Input of `auth.passwords.change`; the new password must satisfy the policy.
 * @example
 * ```ts
 * const { accessToken, password } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const input: ChangePasswordInput = { currentPassword: password, newPassword: 'another long walk home' };
 * await kit.auth.passwords.change(caller, input); // → { status: 'ok' }
 * ```
 */
export type ChangePasswordInput = z.input<typeof changePasswordInput>;
