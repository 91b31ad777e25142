import { AuthError } from '@latchkey/core';

/** Every response begins within five seconds; the remainder is for writing it. */
const RESPONSE_TIMEOUT_MS = 4_700;

/** Rejects with `service_unavailable` when the work takes too long. The work itself continues. */
export async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new AuthError('service_unavailable', 'The service is too busy to respond in time.', {
            reason: 'too_busy',
            retryAfterSeconds: 1,
          }),
        ),
      RESPONSE_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
