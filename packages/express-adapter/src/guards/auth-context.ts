import type { Principal, User } from '@latchkey/core';

/**
 * Who is calling, as a guard found out.
 * @example
 * ```ts
 * const nameOf = ({ user, userId }: AuthContext): string => user?.fullName ?? userId;
 * const { accessToken } = await kit.user({ fullName: 'Ann Berg' });
 * nameOf(await auth.authenticator.authenticate(accessToken)); // → 'Ann Berg'
 * ```
 */
export interface AuthContext extends Principal {
  /** The user's row as it is now. Missing when a hint answered instead of the database (`check: 'hint'`). */
  user?: User;
}
