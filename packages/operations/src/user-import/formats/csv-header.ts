import { didYouMean } from '@latchkey/core/internal/kernel/near-names';
import type { SourceFile } from './source-file.js';
import type { CsvColumns } from './source-format.js';

const DELIMITERS = [',', ';', '\t'] as const;

/** Returns the delimiter that separates the columns of a header. */
export function delimiterOf(header: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * Returns the names of a header.
 * @throws AuthError `validation_error` for a header with missing, unknown or repeated columns.
 */
export function columnsOfHeader(
  row: readonly string[],
  { required, isKnown = () => true, names }: CsvColumns,
  file: SourceFile,
): readonly string[] {
  const columns = row.map((cell) => cell.trim());
  const missing = required.find((column) => !columns.includes(column));
  if (missing !== undefined) {
    throw file.error(`has no column ${missing}. The first line must name the columns: ${names.join(', ')}.`);
  }
  const unknown = columns.find((column) => !isKnown(column));
  if (unknown !== undefined) {
    const near = didYouMean(unknown, names) || ' Rename or remove it.';
    throw file.error(`has the unknown column ${JSON.stringify(unknown.slice(0, 100))}.${near}`);
  }
  const repeated = columns.find((column, index) => column !== '' && columns.indexOf(column) !== index);
  if (repeated !== undefined) {
    throw file.error(`has the column ${repeated} twice. Rename or remove one of the two.`);
  }
  return columns;
}
