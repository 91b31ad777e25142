/** A queue of items in buckets. Buckets take turns, and none holds more than a quarter of the capacity. */
export class FairQueue<Item> {
  readonly #capacity: number;
  readonly #share: number;
  /** In the order of their turns, without empty buckets. */
  readonly #buckets = new Map<string, Set<Item>>();
  #size = 0;

  /** @param capacity items of all buckets together. Each bucket may hold a quarter of it, but at least 1. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#share = Math.max(1, Math.floor(capacity / 4));
  }

  /** Maximum number of items in one bucket. */
  get share(): number {
    return this.#share;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Reports whether one more item of this bucket can be added.
   * @param spare items beyond the capacity, and beyond the share of the bucket, which will soon be taken. Defaults to none.
   */
  hasSpace(bucket: string, spare = 0): boolean {
    const ofBucket = this.#buckets.get(bucket)?.size ?? 0;
    return this.#size < this.#capacity + spare && ofBucket < this.#share + spare;
  }

  add(bucket: string, item: Item): void {
    const items = this.#buckets.get(bucket) ?? new Set<Item>();
    this.#buckets.set(bucket, items.add(item));
    this.#size++;
  }

  /** Removes an item that no longer waits. Does nothing if it was already taken. */
  remove(bucket: string, item: Item): void {
    const items = this.#buckets.get(bucket);
    if (!items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) this.#buckets.delete(bucket);
  }

  /** Removes and returns the oldest item of the bucket whose turn it is. */
  next(): Item | undefined {
    for (const [bucket, items] of this.#buckets) {
      for (const item of items) {
        this.remove(bucket, item);
        // A bucket with more items moves to the end.
        if (this.#buckets.delete(bucket)) this.#buckets.set(bucket, items);
        return item;
      }
    }
    return undefined;
  }

  /** Removes and returns all items. */
  drain(): Item[] {
    const items = [...this.#buckets.values()].flatMap((waiting) => [...waiting]);
    this.#buckets.clear();
    this.#size = 0;
    return items;
  }
}
