import { AsyncResource } from 'node:async_hooks';
import { AuthError } from './auth-error.js';

/** Groups that are written at the same time. With two, a connection that hangs does not hold up everything. */
const MAX_WRITING = 2;
const MAX_GROUP = 100;
/** As long as a statement may wait for a connection. What has waited longer is not written any more. */
const MAX_WAIT_MS = 2_000;

interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Writes items together that arrive in one turn of the event loop or while two groups are being written, so that they share a
 * statement and its commit. Under load groups grow by themselves; a single item does not wait.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  #waiting: Waiting<Item, Result>[] = [];
  #writing = 0;
  /** Writes what waits, in the asynchronous context of the first item: a statement belongs to the trace of its request. */
  #writeNext: () => void = () => undefined;

  /** @param write writes one item or more, and returns their results in the same order. */
  constructor(write: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#write = write;
  }

  /**
   * Writes an item with others.
   * @throws AuthError `service_unavailable` when it was not written within two seconds; what `write` throws, to all of
   * a group.
   */
  async add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) {
        this.#writeNext = AsyncResource.bind(() => this.#writeWaiting());
        setImmediate(this.#writeNext);
      }
      this.#waiting.push({ item, since: performance.now(), resolve, reject });
    });
  }

  #writeWaiting(): void {
    while (this.#writing < MAX_WRITING && this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_GROUP);
      const oldest = performance.now() - MAX_WAIT_MS;
      for (const { since, reject } of group) if (since < oldest) reject(tooLate());
      const inTime = group.filter(({ since }) => since >= oldest);
      if (inTime.length > 0) void this.#writeGroup(inTime);
    }
  }

  async #writeGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#writing += 1;
    try {
      const results = await this.#write(group.map(({ item }) => item));
      results.forEach((result, index) => group[index]?.resolve(result));
    } catch (error) {
      group.forEach(({ reject }) => reject(error));
    } finally {
      this.#writing -= 1;
      this.#writeNext();
    }
  }
}

const tooLate = (): AuthError => AuthError.unavailable('The database is too slow.');
