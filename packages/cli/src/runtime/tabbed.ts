import { printable } from './printable.js';

/** Values in one line for a program, separated by tabs: nothing for what is missing, JSON for what is no text. */
export const tabbed = (values: readonly unknown[]): string => values.map(plain).join('\t');

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
