import { AuthError } from './auth-error.js';

/** Who acts in a session in the name of its user: a member of staff, or an actor that a machine named in free text. */
export interface ActingParty {
  /** As in the claim `act` of the access token: the id of the member of staff, or the machine: `machine:service:crm`. */
  sub: string;
  /** The member of staff; null for an actor in free text. */
  userId: string | null;
  /** The free text; null for a member of staff. */
  name: string | null;
}

/**
 * Throws in a session in which an actor acts for its user: only users themselves change how they sign in, give rights, pass a
 * session on, end their other sessions, or export what is kept about them.
 * @param parties callers, actors of a library call, and the client of a request: any of them may name who acts.
 * @throws AuthError `forbidden` with the reason `not_while_acting`.
 * @example
 * ```ts
 * const act = { sub: 'machine:service:crm', userId: null, name: 'Support' };
 * assertNotActing({}); // → undefined
 * assertNotActing({ act }); // →! /You act for this user/
 * ```
 */
export function assertNotActing(
  ...parties: readonly { readonly act?: ActingParty | undefined; readonly kind?: unknown }[]
): void {
  if (parties.every(({ act }) => !act)) return;
  throw new AuthError(
    'forbidden',
    'You act for this user, so this is not allowed. The user can do it in a session of their own.',
    { reason: 'not_while_acting' },
  );
}
