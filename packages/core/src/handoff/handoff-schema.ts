import { z } from 'zod';
import { tokenPair } from '../sessions/session-schema.js';

export const handoffCode = z
  .object({
    code: z.string(),
    /** Seconds until the code expires. */
    expiresIn: z.int(),
  })
  .meta({ id: 'HandoffCode' });
export type HandoffCode = z.output<typeof handoffCode>;

export const exchangeHandoffInput = z.object({ code: z.string().min(1).max(200) });

export const handoffTokens = tokenPair.extend({ organizationId: z.guid() }).meta({ id: 'HandoffTokens' });
export type HandoffTokens = z.output<typeof handoffTokens>;
