import { z } from 'zod';
import { emailInput } from '../users/user-schema.js';

/**
 * The wanted address.
 * @example
 * ```ts
 * requestEmailChangeInput.parse({ newEmail: ' ANN@example.com' }); // → { newEmail: 'ann@example.com' }
 * ```
 */
export const requestEmailChangeInput = z.object({ newEmail: emailInput });
/**
 * Input of `auth.emailChange.request`; the response is the same for an address that is taken.
 * @example
 * ```ts
 * const { accessToken } = await kit.user();
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const input: RequestEmailChange = { newEmail: 'ann.new@example.com' };
 * await kit.auth.emailChange.request(caller, input); // → { status: 'ok' }
 * ```
 */
export type RequestEmailChange = z.input<typeof requestEmailChangeInput>;

/**
 * The token of a link that confirms or undoes a change of address.
 * @example
 * ```ts
 * emailChangeTokenInput.safeParse({ token: '' }).success; // → false
 * ```
 */
export const emailChangeTokenInput = z.object({ token: z.string().min(1).max(1024) });
/**
 * Input of `auth.emailChange.confirm` and `auth.emailChange.undo`: the token of the mail.
 * @example
 * ```ts
 * const input: EmailChangeToken = { token: 'lke_unknown' };
 * await kit.auth.emailChange.undo(input); // →! /token: is unknown, used or expired/
 * ```
 */
export type EmailChangeToken = z.input<typeof emailChangeTokenInput>;
