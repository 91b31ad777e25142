import { tabStorage } from './tab-storage.js';

const KEY = 'latchkey.invited-email';

/** The email of the invitation for which the user goes to the sign-in page. It stays in the tab, and out of addresses. */
export const invitedEmail = {
  read: (): string => tabStorage.getItem(KEY) ?? '',
  write: (email: string): void => tabStorage.setItem(KEY, email),
  clear: (): void => tabStorage.removeItem(KEY),
};
