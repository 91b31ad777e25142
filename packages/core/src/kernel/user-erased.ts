import { AuthError } from './auth-error.js';

/** Returns the error of every change of a user whose personal data was erased. */
export const userErased = (cause?: unknown): AuthError =>
  new AuthError('conflict', 'The personal data of this user was erased. Create a new user instead.', {
    reason: 'user_erased',
    cause,
  });
