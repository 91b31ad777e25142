const OBJECT_STORE = 'sessions';

/**
 * One value in IndexedDB that every tab reads as the last one wrote it. `localStorage` does not promise that: another
 * process may see a change only after it has been granted the lock of the writer.
 */
export class SharedRecord<Value> {
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
