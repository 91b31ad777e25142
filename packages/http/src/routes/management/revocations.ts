import { z } from 'zod';
import { lastEventId, revocationPage, revocationQuery } from '@latchkey/core/schemas';
import { machineWith } from '../../callers/machine-with.js';
import { deliverPage } from '../../revocations/deliver-page.js';
import { deliverStream } from '../../revocations/deliver-stream.js';
import { deliveredRoute } from '../../routing/route.js';

export const revocations = deliveredRoute({
  path: '/internal/revocations',
  operationId: 'readRevocations',
  tag: 'Revocations',
  summary: 'Read the feed of revocations',
  description:
    'What ends access tokens before they expire: revoked sessions and raised token versions. Without `after` the response ' +
    'has everything that still matters; with it, what was committed since, after a wait of up to `wait` seconds. Entries ' +
    'may repeat; ignore types that you do not know. 410 `gone`: the cursor is unknown or too old, request a snapshot. 503 ' +
    'when the database has not been read for two seconds. Service tokens need the scope `revocations:read`. ' +
    'With `Accept: text/event-stream` the response is a stream, which ends with the token.',
  failures: ['gone', 'not_ready'],
  caller: machineWith('revocations:read'),
  headers: z.object({
    accept: z.string().optional(),
    'last-event-id': lastEventId
      .optional()
      .describe('The `id` of the last event; the stream resumes after it. It precedes `after`.'),
  }),
  query: revocationQuery,
  reply: revocationPage,
  eventStream: {
    description:
      'Events `snapshot` (first, without a cursor), `revocations` and, every five seconds while the database is read, ' +
      '`heartbeat`. `id` is the cursor, `data` is JSON with `entries`.',
    example:
      'event: revocations\nid: MS4w\ndata: {"entries":[{"type":"session-revoked",' +
      '"sid":"8f6d1a53-1c2b-4a9e-9d0f-2b6c7e8a9f10","at":"2026-11-22T12:00:00.000Z"}]}\n\n',
  },
  handle: async ({ auth, query }) => {
    const { cursor, entries } = await auth.revocations.read(query);
    return { cursor, entries: [...entries] };
  },
  deliver: ({ auth, caller: { expiresAt }, headers, query: { after, wait } }) =>
    acceptsEvents(headers.accept)
      ? deliverStream(auth, { after: resumeAfter(headers['last-event-id'], after), expiresAt })
      : deliverPage(auth, { after, wait, expiresAt }),
});

const resumeAfter = (lastEvent: string | undefined, after: string | undefined): string | undefined =>
  lastEvent === undefined || lastEvent === '' ? after : lastEvent;

/** Returns whether the type is named: clients that accept anything get JSON. */
const acceptsEvents = (accept = ''): boolean =>
  accept.split(',').some((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range));
