import { AuthError } from '../kernel/auth-error.js';

/** What a limit does while the shared store is away: go on with what this process knows, or answer 503. */
export type FailMode = 'open' | 'closed';

/** Reports whether work failed because its store is unavailable. */
export const isUnavailable = (error: unknown): boolean =>
  AuthError.is(error) && error.code === 'service_unavailable';
