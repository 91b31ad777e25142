import { AuthError } from '../kernel/auth-error.js';

/** Behaviour of a limit while the shared store is unavailable: `open` counts in this process, `closed` responds with 503. */
export type FailMode = 'open' | 'closed';

/** Reports whether an error means that the store is unavailable. */
export const isUnavailable = (error: unknown): boolean =>
  AuthError.is(error) && error.code === 'service_unavailable';
