import { AuthError } from './auth-error.js';

/**
 * Returns the promise's result. Throws `AuthError.unavailable` with this message if it takes longer than the
 * given milliseconds; the work itself is not stopped, and its late result or failure is dropped.
 */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(AuthError.unavailable(message));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
