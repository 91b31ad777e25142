/** The headers of one response, in the order in which they were set. */
export class ResponseHeaders {
  /** Names and values in turns: the form that Node.js writes fastest. */
  readonly #flat: string[];

  /** @param start names and values in turns. */
  constructor(start: readonly string[] = []) {
    this.#flat = [...start];
  }

  /** Names and values in turns. */
  get flat(): string[] {
    return this.#flat;
  }

  /** Sets a header in place of one with exactly this name. */
  set(name: string, value: string): void {
    const at = this.#indexOf(name);
    if (at < 0) this.#flat.push(name, value);
    else this.#flat[at + 1] = value;
  }

  /** Adds a header beside those with the same name. */
  append(name: string, value: string): void {
    this.#flat.push(name, value);
  }

  /** Removes the header with exactly this name. */
  remove(name: string): void {
    const at = this.#indexOf(name);
    if (at >= 0) this.#flat.splice(at, 2);
  }

  /** Names a request header on which the response depends (RFC 9110 section 12.5.5). */
  vary(field: string): void {
    const at = this.#indexOf('Vary');
    const fields = at < 0 ? [] : (this.#flat[at + 1] ?? '').split(', ');
    if (!fields.includes(field)) this.set('Vary', [...fields, field].join(', '));
  }

  *[Symbol.iterator](): Generator<[name: string, value: string]> {
    for (let at = 0; at < this.#flat.length; at += 2) yield [this.#flat[at] ?? '', this.#flat[at + 1] ?? ''];
  }

  #indexOf(name: string): number {
    for (let at = 0; at < this.#flat.length; at += 2) if (this.#flat[at] === name) return at;
    return -1;
  }
}
