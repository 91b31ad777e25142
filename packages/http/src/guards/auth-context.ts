import type { SessionPrincipal, User } from '@latchkey/core';

/**
 * The authenticated caller of a request.
 * @example
 * ```ts
 * const nameOf = ({ user, userId }: AuthContext): string => user?.fullName ?? userId;
 * const { accessToken } = await kit.user({ fullName: 'Ann Berg' });
 * nameOf(await auth.authenticator.authenticate(accessToken)); // → 'Ann Berg'
 * ```
 */
export interface AuthContext extends SessionPrincipal {
  /** The current user. Undefined when a hint was used instead of the database (`check: 'hint'`). */
  user?: User;
}
