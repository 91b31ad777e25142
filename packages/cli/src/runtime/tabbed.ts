import { printable } from './printable.js';

/** Returns values in one line, separated by tabs: nothing for a missing value, JSON for one that is not text. */
export const tabbed = (values: readonly unknown[]): string => values.map(plain).join('\t');

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
