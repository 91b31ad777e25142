/** Runs one piece of work at a time: in all tabs with the same name, where the browser has Web Locks, else in this one. */
export class TabLock {
  readonly #name: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(name: string | undefined) {
    this.#name = name;
  }

  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const locks = lockManager();
    if (this.#name !== undefined && locks) {
      return locks.request(this.#name, work);
    }
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Exists in secure contexts only. */
const lockManager = (): LockManager | undefined =>
  (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
