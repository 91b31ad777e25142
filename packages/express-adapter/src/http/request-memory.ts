import type { IncomingMessage } from 'node:http';

/**
 * What is known about requests, as long as they exist. Kept beside them, not on them, so that types of Express are unchanged
 * and names cannot clash.
 */
export class RequestMemory<Facts extends object> {
  readonly #known = new WeakMap<IncomingMessage, Facts>();

  of(request: IncomingMessage): Readonly<Facts> | undefined {
    return this.#known.get(request);
  }

  /** Adds to what is known. The object becomes the memory of a request that has none. */
  add(request: IncomingMessage, facts: Facts): void {
    const known = this.#known.get(request);
    if (known) Object.assign(known, facts);
    else this.#known.set(request, facts);
  }
}
