import { rejected, type ImportReport } from './import-check.js';

/** Collects what is rejected and what is left out while a batch is written. */
export class BatchReports {
  readonly #rejections: ImportReport[] = [];
  readonly #notes = new Map<number, string[]>();

  reject(position: number, reason: string): void {
    this.#rejections.push(rejected(position, reason));
  }

  hasRejected(position: number): boolean {
    return this.#rejections.some((report) => report.position === position);
  }

  /** Notes what of an entry was not written. */
  note(position: number, ...reasons: readonly string[]): void {
    if (reasons.length > 0) this.#notes.set(position, [...(this.#notes.get(position) ?? []), ...reasons]);
  }

  /** All of them, in the order of the file. */
  get all(): ImportReport[] {
    const incomplete = [...this.#notes].map(([position, reasons]): ImportReport => ({
      position,
      outcome: 'incomplete',
      reasons,
    }));
    return [...this.#rejections, ...incomplete].sort((a, b) => a.position - b.position);
  }
}
