import { tabStorage } from '../tab-storage.js';

const KEY = 'latchkey.pending-email';

interface PendingEmail {
  userId: string;
  newEmail: string;
}

/** Keeps in this tab to which address a link was sent. The service reports that to the owner of that mailbox only. */
export const keepPendingEmail = (pending: PendingEmail): void =>
  tabStorage.setItem(KEY, JSON.stringify(pending));

/** Returns the address that waits for its link to be opened. Undefined once it is the address of the user. */
export function pendingEmailOf({ id, email }: { id: string; email: string }): string | undefined {
  const text = tabStorage.getItem(KEY);
  if (text === null) return undefined;
  const { userId, newEmail } = JSON.parse(text) as PendingEmail;
  if (userId === id && newEmail !== email) return newEmail;
  tabStorage.removeItem(KEY);
  return undefined;
}
