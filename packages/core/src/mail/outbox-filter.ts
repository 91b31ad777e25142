import { z } from 'zod';
import { MAIL_KINDS } from './mail-kind.js';
import { OUTBOX_STATES } from './outbox-mail.js';

/** Input for lists of the outbox. */
export const outboxFilter = z.object({
  state: z.enum(OUTBOX_STATES).optional(),
  kind: z.enum(MAIL_KINDS).optional(),
  /** The recipient's address or its prefix. */
  to: z.string().trim().toLowerCase().min(1).max(254).optional(),
});
/**
 * Selects mails of the outbox by state, kind, or the prefix of the recipient's address.
 * @example
 * ```ts
 * const givenUp: OutboxFilter = { state: 'failed', to: 'ann@' };
 * (await kit.auth.admin.mail.list(givenUp)).total; // → 0
 * ```
 */
export type OutboxFilter = z.input<typeof outboxFilter>;
