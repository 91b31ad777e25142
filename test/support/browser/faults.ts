/** What went wrong in a visit, one line each, and what a test announced of it. */
export class Faults {
  readonly #lines: string[] = [];
  readonly #expected: RegExp[] = [];

  add(kind: string, what: string): void {
    this.#lines.push(`${kind}: ${what}`);
  }

  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** The faults nobody announced. */
  unexpected(): string[] {
    return this.#lines.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
  }

  /** What was announced and did not happen, one line each. */
  missing(): string[] {
    return this.#expected
      .filter((pattern) => !this.#lines.some((line) => pattern.test(line)))
      .map((pattern) => `expected, and did not happen: ${String(pattern)}`);
  }
}
