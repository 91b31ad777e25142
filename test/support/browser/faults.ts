/** The faults of a visit, one line each, and the faults that a test expects. */
export class Faults {
  readonly #lines: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #allowed: RegExp[] = [];

  add(kind: string, description: string): void {
    this.#lines.push(`${kind}: ${description}`);
  }

  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Returns the faults that were neither expected nor allowed. */
  unexpected(): string[] {
    const known = [...this.#expected, ...this.#allowed];
    return this.#lines.filter((line) => !known.some((pattern) => pattern.test(line)));
  }

  /** Returns the expected faults that did not happen, one line each. */
  missing(): string[] {
    return this.#expected
      .filter((pattern) => !this.#lines.some((line) => pattern.test(line)))
      .map((pattern) => `expected, and did not happen: ${String(pattern)}`);
  }
}
