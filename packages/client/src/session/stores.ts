import type { SessionStore, StoredSession } from './stored-session.js';

const OBJECT_STORE = 'sessions';

/**
 * One value in IndexedDB that every tab reads as the last one wrote it. `localStorage` does not promise that: another
 * process may see a change only after it has been granted the lock of the writer.
 */
class SharedRecord<Value> {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Rejects where the browser blocks IndexedDB, with an error or the event that reports it. */
  read(): Promise<Value | undefined> {
    return this.#run('readonly', (records) => records.get(this.#name)) as Promise<Value | undefined>;
  }

  async write(value: Value): Promise<void> {
    await this.#run('readwrite', (records) => records.put(value, this.#name));
  }

  async #run(mode: IDBTransactionMode, ask: (records: IDBObjectStore) => IDBRequest): Promise<unknown> {
    const database = await opened();
    try {
      const transaction = database.transaction(OBJECT_STORE, mode);
      const request = ask(transaction.objectStore(OBJECT_STORE));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = reject;
      });
      return request.result;
    } finally {
      // An open connection would block the deletion of the site's data.
      database.close();
    }
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('latchkey', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(OBJECT_STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
}

/** Returns a store that lasts as long as its client. */
export function memoryStore(): SessionStore {
  let kept: StoredSession | undefined;
  return {
    read: () => kept,
    write: (session) => void (kept = session),
    clear: () => void (kept = undefined),
  };
}

/** Returns a store in `localStorage`, which all tabs share; in memory where the browser blocks it. */
export function localStorageStore(name: string): SessionStore {
  const storage = usableStorage();
  return storage ? new LocalStorageStore(name, storage) : memoryStore();
}

/** The latest session, or that it has ended. */
type Latest = { session: StoredSession } | { session?: undefined };

/** The time after which another tab sees a change, where IndexedDB is blocked. */
const SETTLED_MS = 100;

/** Keeps the session in `localStorage`, which answers at once, and a copy where the tabs agree on the latest one. */
class LocalStorageStore implements SessionStore {
  readonly name: string;
  readonly #storage: Storage;
  readonly #latest: SharedRecord<Latest>;
  /** A full storage must not lose tokens that the service has already renewed: this tab continues with them. */
  #unsaved: StoredSession | undefined;

  constructor(name: string, storage: Storage) {
    this.name = name;
    this.#storage = storage;
    this.#latest = new SharedRecord(name);
  }

  read(): StoredSession | undefined {
    return this.#unsaved ?? parsed(this.#storage.getItem(this.name));
  }

  async readLatest(): Promise<StoredSession | undefined> {
    if (this.#unsaved) return this.#unsaved;
    try {
      const latest = await this.#latest.read();
      return latest ? latest.session : this.read();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      return this.read();
    }
  }

  async write(session: StoredSession): Promise<void> {
    this.#unsaved = undefined;
    try {
      this.#storage.setItem(this.name, JSON.stringify(session));
    } catch {
      this.#unsaved = session;
    }
    await this.#latest.write({ session }).catch(() => undefined);
  }

  async clear(): Promise<void> {
    this.#unsaved = undefined;
    this.#storage.removeItem(this.name);
    await this.#latest.write({}).catch(() => undefined);
  }
}

function usableStorage(): Storage | undefined {
  try {
    localStorage.setItem('latchkey', '');
    localStorage.removeItem('latchkey');
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Anything else under the name counts as no session. */
function parsed(text: string | null): StoredSession | undefined {
  try {
    const value = JSON.parse(text ?? '') as Partial<StoredSession> | null;
    return typeof value?.id === 'string' && typeof value.refreshAt === 'number'
      ? (value as StoredSession)
      : undefined;
  } catch {
    return undefined;
  }
}
