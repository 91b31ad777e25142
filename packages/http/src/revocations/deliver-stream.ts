import type { Auth } from '@latchkey/core';
import type { Delivery } from '../routing/route.js';
import { msUntil } from './deliver-page.js';
import { RevocationStream } from './revocation-stream.js';
import { StreamTurns } from './stream-turns.js';

/** All streams of the process share its event loop. */
const turns = new StreamTurns();

interface StreamRequest {
  after: string | undefined;
  /** Expiry of the credential, seconds since the epoch. The stream ends with it. */
  expiresAt: number | undefined;
}

/** Delivers revocations as a stream of events, until the client leaves, the credential expires or the service stops. */
export const deliverStream =
  ({ revocations }: Auth, { after, expiresAt }: StreamRequest): Delivery =>
  async ({ request, headers }, addIdle) => {
    const stream = new RevocationStream(request.signal, turns);
    const { page, leave } = await revocations.follow({ after }, stream);
    headers.set('Content-Type', 'text/event-stream');
    headers.set('X-Accel-Buffering', 'no');
    if (request.method === 'HEAD') {
      leave();
      return { status: 200, headers };
    }
    const beganAt = performance.now();
    const expiry = expiresAt === undefined ? undefined : setTimeout(() => stream.onEnd(), msUntil(expiresAt));
    const end = (): void => {
      clearTimeout(expiry);
      leave();
      addIdle(performance.now() - beganAt);
    };
    const event = after === undefined ? 'snapshot' : 'revocations';
    return { status: 200, headers, body: stream.events(page, { event, end }), until: stream.until };
  };
