import { z } from 'zod';
import { MAIL_KINDS } from './mail-kind.js';
import { OUTBOX_STATES } from './outbox-mail.js';

/** Schema of a search of the outbox. */
export const outboxFilter = z.object({
  state: z.enum(OUTBOX_STATES).optional().describe('Only mails in this state.'),
  kind: z.enum(MAIL_KINDS).optional().describe('Only mails of this kind.'),
  to: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(254)
    .meta({ pattern: '\\S' })
    .optional()
    .describe('Only mails to this address, or to addresses that start with it.'),
});
/** Selects mails of the outbox by state, kind, or the prefix of the recipient's address. */
export type OutboxFilter = z.input<typeof outboxFilter>;
