import type { ActingParty } from '../kernel/acting-party.js';
import type { ClientInfo } from '../kernel/client-info.js';

/** The actor of a new session of a user. */
export interface NewActing {
  party: ActingParty;
  /** The session of the acting member of staff with which the new one ends; null if none was named. */
  sessionId: string | null;
  reason: string;
  /** The latest end of the session. */
  until: Date;
}

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

/** Returns the client of a request whose caller is known: audit rows name who acts for them. */
export const clientOf = ({ act }: { act?: ActingParty | undefined }, client: ClientInfo): ClientInfo =>
  act ? { ...client, act } : client;
