import type { OutboxEntry } from '../mail/mail-kind.js';
import { maySignIn, type User } from '../users/user.js';

/** Returns the notice to a user whose role was changed; undefined if it was not, or if the user may not sign in. */
export function roleNotice(
  before: User,
  { email, fullName, globalRole, ...after }: User,
): Extract<OutboxEntry, { kind: 'role_changed' }> | undefined {
  if (before.globalRole === globalRole || !maySignIn(after)) return undefined;
  return {
    kind: 'role_changed',
    recipient: email,
    payload: { fullName, from: before.globalRole, to: globalRole },
  };
}
