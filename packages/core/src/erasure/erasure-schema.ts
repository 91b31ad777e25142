import { z } from 'zod';

/**
 * The reason for erasing the personal data of a user, for the audit log. The log keeps it, so it must not name the person.
 */
export const eraseUserInput = z.object({
  reason: z.string().trim().min(1).max(500).meta({ pattern: '\\S' }),
});

/** The id of an erased user, and the time of the erasure. */
export const erasedUser = z
  .object({ status: z.literal('ok'), id: z.guid(), erasedAt: z.iso.datetime() })
  .meta({ id: 'ErasedUser' });
/** The result of an erasure; a second one returns the same. */
export type ErasedUser = z.output<typeof erasedUser>;
