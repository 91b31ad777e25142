import { z } from 'zod';
import { emailInput } from '../users/user-schema.js';

/** The time at which the account is deleted, unless the user undoes it. */
export const requestedDeletion = z.object({ deleteAt: z.iso.datetime() }).meta({ id: 'RequestedDeletion' });
/** Result of `auth.accountDeletion.request`: the time until which the deletion can be undone, in ISO 8601. */
export type RequestedDeletion = z.output<typeof requestedDeletion>;

/** The token of the link that undoes a deletion. */
export const undoDeletionInput = z.object({ token: z.string().min(1).max(256) });
/** Input of `auth.accountDeletion.undo`: the token of the mail. */
export type UndoDeletion = z.input<typeof undoDeletionInput>;

/** The address to which the link is sent again. */
export const sendUndoInput = z.object({ email: emailInput });
/** Input of `auth.accountDeletion.sendLink`; the response is the same for an address without a pending deletion. */
export type SendUndo = z.input<typeof sendUndoInput>;
