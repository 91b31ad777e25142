/** Waiting items, each of a bucket. Buckets take turns, and none holds more than a quarter of the room. */
export class FairQueue<Item> {
  readonly #capacity: number;
  readonly #share: number;
  /** In the order of their turns; a bucket without items is not in it. */
  readonly #buckets = new Map<string, Set<Item>>();
  #size = 0;

  /** @param capacity items of all buckets together; a quarter of it, but at least 1, is the share of each. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#share = Math.max(1, Math.floor(capacity / 4));
  }

  /** Items that one bucket may have. */
  get share(): number {
    return this.#share;
  }

  get size(): number {
    return this.#size;
  }

  /** Reports whether one more item of this bucket finds room. */
  hasRoom(bucket: string): boolean {
    return this.#size < this.#capacity && (this.#buckets.get(bucket)?.size ?? 0) < this.#share;
  }

  add(bucket: string, item: Item): void {
    const items = this.#buckets.get(bucket) ?? new Set<Item>();
    this.#buckets.set(bucket, items.add(item));
    this.#size++;
  }

  /** Takes out an item that waits no longer. Nothing happens when it was taken already. */
  remove(bucket: string, item: Item): void {
    const items = this.#buckets.get(bucket);
    if (!items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) this.#buckets.delete(bucket);
  }

  /** Takes the longest waiting item of the bucket whose turn it is. */
  next(): Item | undefined {
    for (const [bucket, items] of this.#buckets) {
      for (const item of items) {
        this.remove(bucket, item);
        // To the end of the line, if more of its items wait.
        if (this.#buckets.delete(bucket)) this.#buckets.set(bucket, items);
        return item;
      }
    }
    return undefined;
  }

  /** Takes out everything. */
  drain(): Item[] {
    const items = [...this.#buckets.values()].flatMap((waiting) => [...waiting]);
    this.#buckets.clear();
    this.#size = 0;
    return items;
  }
}
