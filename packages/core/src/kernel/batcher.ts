/** Above this a batch is sent at once instead of waiting for the end of the tick. */
const MAX_BATCH = 500;

interface Waiting<V> {
  resolve: (value: V | undefined) => void;
  reject: (reason: unknown) => void;
}

/**
 * Answers all look-ups of one turn of the event loop with one read. A look-up never joins a read that was sent before
 * it was asked for, so it sees everything that was committed before.
 */
export class Batcher<V> {
  readonly #read: (keys: string[]) => Promise<ReadonlyMap<string, V>>;
  #waiting = new Map<string, Waiting<V>[]>();

  constructor(read: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {
    this.#read = read;
  }

  async load(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => void this.#flush());
      const others = this.#waiting.get(key);
      if (others) others.push({ resolve, reject });
      else this.#waiting.set(key, [{ resolve, reject }]);
      if (this.#waiting.size >= MAX_BATCH) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    if (batch.size === 0) return;
    this.#waiting = new Map();
    try {
      const values = await this.#read([...batch.keys()]);
      for (const [key, waiting] of batch) waiting.forEach(({ resolve }) => resolve(values.get(key)));
    } catch (error) {
      for (const waiting of batch.values()) waiting.forEach(({ reject }) => reject(error));
    }
  }
}
