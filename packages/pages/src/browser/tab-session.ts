import type { SessionStore, StoredSession } from '@latchkey/client';
import { tabStorage } from './tab-storage.js';

const KEY = 'latchkey.session';

/** The session in the storage of this tab, until the page is done. In cookie mode it is out of reach of scripts instead. */
export const tabSession = {
  read: (): StoredSession | undefined => {
    const text = tabStorage.getItem(KEY);
    return text === null ? undefined : (JSON.parse(text) as StoredSession);
  },
  write: (session: StoredSession): void => tabStorage.setItem(KEY, JSON.stringify(session)),
  clear: (): void => tabStorage.removeItem(KEY),
} satisfies SessionStore;
