import { z } from 'zod';
import { wholeNumber } from '../kernel/query-value.js';

/** More than the longest cursor. */
const MAX_CURSOR_LENGTH = 4_000;
const MAX_WAIT_SECONDS = 25;

const at = z.iso.datetime().describe('Time of the event.');

/** Schema of an entry of the revocation feed. */
export const revocationEntry = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('session-revoked'),
      sid: z.guid().describe('The session that has ended: the claim `sid` of its tokens.'),
      at,
    }),
    z.object({
      type: z.literal('token-claims-change'),
      sub: z.guid().describe('The user: the claim `sub` of the tokens.'),
      minTokenVersion: z
        .int()
        .describe('Tokens of the user whose claim `tokenVersion` is lower are refused.'),
      at,
    }),
    z.object({
      type: z.literal('api-key-revoked'),
      kid: z
        .guid()
        .describe('The API key that has ended: the claim `sid` of the tokens that it was exchanged for.'),
      at,
    }),
    z.object({
      type: z.literal('api-key-rotated'),
      kid: z
        .guid()
        .describe('The API key whose former text is refused, and tokens that were issued before `at`.'),
      at,
    }),
  ])
  .meta({ id: 'RevocationEntry' });

/** Schema of the response of the revocation feed. */
export const revocationPage = z
  .object({
    cursor: z.string().describe('Send it as `after` to continue. Opaque.'),
    entries: z.array(revocationEntry),
  })
  .meta({ id: 'RevocationPage' });

const cursor = z
  .string()
  .max(MAX_CURSOR_LENGTH)
  .regex(/^[\w-]+$/, 'must be the cursor of a previous response');

/** Schema of the query of the revocation feed. */
export const revocationQuery = z.object({
  after: cursor
    .optional()
    .describe('The cursor of a previous response. Without it: everything that matters.'),
  wait: wholeNumber()
    .refine((seconds) => seconds <= MAX_WAIT_SECONDS, `must be at most ${MAX_WAIT_SECONDS}`)
    .meta({ maximum: MAX_WAIT_SECONDS })
    .optional()
    .describe('Seconds to wait for entries if there are none; ignored without `after`.'),
});

/** Schema of the header with which an event stream resumes; empty before the first event. */
export const lastEventId = z.union([z.literal(''), cursor]);
