import { z } from 'zod';
import { nameInput } from '../kernel/name-input.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { tokenPair } from '../sessions/session-schema.js';

/** Reply with a hand-off code. */
export const handoffCode = z
  .object({
    code: z.string(),
    /** Seconds until the code expires. */
    expiresIn: z.int(),
  })
  .meta({ id: 'HandoffCode' });
/** A single-use code that creates a session in another client, and its lifetime in seconds. */
export type HandoffCode = z.output<typeof handoffCode>;

/** Input of the exchange of a hand-off code. */
export const exchangeHandoffInput = z.object({ code: z.string().min(1).max(200) });

/** Reply of the exchange of a hand-off code. */
export const handoffTokens = tokenPair.extend({ organizationId: z.guid() }).meta({ id: 'HandoffTokens' });
/** Tokens of a session that a hand-off has created, with its company. */
export type HandoffTokens = z.output<typeof handoffTokens>;

/** Input of a code by which a member of staff acts for a user. The setting `MINT_MAX_LIFETIME` bounds `minutes`. */
export const actForInput = z.object({
  reason: nameInput(500).describe('Why, for the user, the lists of sessions and the audit log.'),
  minutes: z
    .int()
    .min(1)
    .max(720)
    .optional()
    .describe(
      'Minutes until the session ends, at most `MINT_MAX_LIFETIME`, which is the default. It never outlives that of the caller.',
    ),
  companyId: uuidInput
    .optional()
    .describe(
      'A company of the user: the code is then for an app, which exchanges it as a hand-off code. Without it the code is for the pages of the service.',
    ),
});
/** Why, for how long and where a member of staff acts for a user. */
export type ActFor = z.input<typeof actForInput>;
