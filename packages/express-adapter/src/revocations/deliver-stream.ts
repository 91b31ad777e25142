import type { Auth } from '@latchkey/core';
import type { Delivery } from '../http/route.js';
import { msUntil } from './deliver-page.js';
import { RevocationStream } from './revocation-stream.js';
import { StreamTurns } from './stream-turns.js';

/** All streams of the process share its event loop. */
const turns = new StreamTurns();

export interface StreamRequest {
  after: string | undefined;
  /** Expiry of the credential, seconds since the epoch. The stream ends with it. */
  expiresAt: number | undefined;
}

/** Delivers revocations as a stream of events, until the client leaves, the credential expires or the service stops. */
export const deliverStream =
  ({ revocations }: Auth, { after, expiresAt }: StreamRequest): Delivery =>
  async (response, addIdle) => {
    const stream = new RevocationStream(response, turns);
    const { page, leave } = await revocations.follow({ after }, stream);
    const beganAt = performance.now();
    const expiry = expiresAt === undefined ? undefined : setTimeout(() => stream.onEnd(), msUntil(expiresAt));
    try {
      await stream.run(page, after === undefined ? 'snapshot' : 'revocations');
    } finally {
      clearTimeout(expiry);
      leave();
      addIdle(performance.now() - beganAt);
    }
  };
