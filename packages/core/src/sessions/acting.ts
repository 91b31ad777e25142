import type { ActingParty } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';

/** The columns of a session that say who acts in it; all null in a session of the user's own. */
export interface ActingColumns {
  acting_sub: string | null;
  acting_user_id: string | null;
  acting_name: string | null;
}

/** Returns who acts in the session of a row; undefined for the user. */
export const toActingParty = (row: ActingColumns): ActingParty | undefined =>
  row.acting_sub === null
    ? undefined
    : { sub: row.acting_sub, userId: row.acting_user_id, name: row.acting_name };

/**
 * Throws in a session in which an actor acts for its user: only users themselves change how they sign in, pass a session on, or
 * end their other sessions.
 * @throws AuthError `forbidden`.
 */
export function assertNotActing({ act }: { act?: ActingParty | undefined }): void {
  if (!act) return;
  throw new AuthError(
    'forbidden',
    'You act for this user, so this is not allowed. The user can do it in a session of their own.',
    { reason: 'not_while_acting' },
  );
}

/** Returns the client of a request whose caller is known: audit rows name who acts for them. */
export const clientOf = ({ act }: { act?: ActingParty | undefined }, client: ClientInfo): ClientInfo =>
  act ? { ...client, act } : client;
