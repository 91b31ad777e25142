import { z } from 'zod';
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
