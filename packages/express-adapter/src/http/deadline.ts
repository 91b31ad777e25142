import { AuthError } from '@latchkey/core';

/** Every answer is out within five seconds; the rest is for writing it. */
const ANSWER_WITHIN_MS = 4_700;

/** Rejects with `service_unavailable` when the work takes too long; the work itself goes on to its end. */
export async function withDeadline(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new AuthError('service_unavailable', 'The service is too busy to answer in time.', {
            reason: 'too_busy',
            retryAfterSeconds: 1,
          }),
        ),
      ANSWER_WITHIN_MS,
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
