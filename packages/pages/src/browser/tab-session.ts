import type { SessionStore, StoredSession } from '@latchkey/client';
import { tabStorage } from './tab-storage.js';

/** Returns a store of a session in the storage of this tab. */
export const storedInTab = (key: string) =>
  ({
    read: (): StoredSession | undefined => {
      const text = tabStorage.getItem(key);
      return text === null ? undefined : (JSON.parse(text) as StoredSession);
    },
    write: (session: StoredSession): void => tabStorage.setItem(key, JSON.stringify(session)),
    clear: (): void => tabStorage.removeItem(key),
  }) satisfies SessionStore;

/** The session of the user, until the page is done. In cookie mode it is out of reach of scripts instead. */
export const tabSession = storedInTab('latchkey.session');
