import { z } from 'zod';
import { readable } from '../kernel/open-list.js';
import { MAIL_KINDS } from './mail-kind.js';
import { OUTBOX_STATES } from './outbox-mail.js';

const timestamp = z.iso.datetime();

/** Schema of a mail of the outbox, without its content. */
export const outboxMailView = z
  .object({
    id: z.guid(),
    kind: z.enum(readable(MAIL_KINDS)).describe('`other` for a kind that this version does not know.'),
    recipient: z.string(),
    state: z.enum(OUTBOX_STATES),
    /** Number of attempts. */
    attempts: z.int().min(0),
    createdAt: timestamp,
    /** Null when there is no further attempt. */
    nextAttemptAt: timestamp.nullable(),
    sentAt: timestamp.nullable(),
    /** The reply of the mail server, without addresses and secrets. */
    lastError: z.string().nullable(),
  })
  .meta({ id: 'OutboxMail' });
/** A mail of the outbox without its content; times in ISO 8601. */
export type OutboxMailView = z.output<typeof outboxMailView>;
