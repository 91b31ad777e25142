import { z } from 'zod';
import { emailInput } from '../users/user-schema.js';

/** The wanted address. */
export const requestEmailChangeInput = z.object({ newEmail: emailInput });
/** Input of `auth.emailChange.request`; the response is the same for an address that is taken. */
export type RequestEmailChange = z.input<typeof requestEmailChangeInput>;

/** The token of a link that confirms or undoes a change of address. */
export const emailChangeTokenInput = z.object({ token: z.string().min(1).max(1024) });
/** Input of `auth.emailChange.confirm`, `auth.emailChange.undo` and their previews: the token of the mail. */
export type EmailChangeToken = z.input<typeof emailChangeTokenInput>;

/** Schema of the addresses that a link of a change is about. */
export const emailChangePreview = z
  .object({
    email: z.string().meta({ description: 'The address that the account gets; the mail went there.' }),
    currentEmail: z.string().meta({
      description: 'The address that the account has now, partly hidden: `a•••@example.com`.',
    }),
  })
  .meta({ id: 'EmailChangePreview' });
/** The addresses that a link of a change is about. */
export type EmailChangePreview = z.output<typeof emailChangePreview>;
