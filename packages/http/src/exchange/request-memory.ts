/**
 * What is known about requests, as long as they exist, by the object of the host. Kept beside them, not on them, so that types
 * of a host are unchanged and names cannot clash.
 */
export class RequestMemory<Facts extends object> {
  readonly #known = new WeakMap<object, Facts>();

  of(source: object): Readonly<Facts> | undefined {
    return this.#known.get(source);
  }

  /** Adds to what is known. The object becomes the memory of a request that has none. */
  add(source: object, facts: Facts): void {
    const known = this.#known.get(source);
    if (known) Object.assign(known, facts);
    else this.#known.set(source, facts);
  }
}
