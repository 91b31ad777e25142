/** The faults of a visit, one line each, and the faults that a test expects. */
export class Faults {
  readonly #lines: string[] = [];
  readonly #expected: RegExp[] = [];

  add(kind: string, description: string): void {
    this.#lines.push(`${kind}: ${description}`);
  }

  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Returns the faults that were not expected. */
  unexpected(): string[] {
    return this.#lines.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
  }

  /** Returns the expected faults that did not happen, one line each. */
  missing(): string[] {
    return this.#expected
      .filter((pattern) => !this.#lines.some((line) => pattern.test(line)))
      .map((pattern) => `expected, and did not happen: ${String(pattern)}`);
  }
}
