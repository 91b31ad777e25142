import type { SessionPrincipal, User } from '@latchkey/core';

/** The authenticated caller of a request. */
export interface AuthContext extends SessionPrincipal {
  /** The current user. Undefined when a hint was used instead of the database (`check: 'hint'`). */
  user?: User;
}
