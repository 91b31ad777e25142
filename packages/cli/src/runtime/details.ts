import { displayWidth, printable } from './printable.js';
import { relativeTime } from './relative-time.js';
import type { TableSpace } from './table.js';

/** One line of a thing that is shown in full. */
export interface Detail {
  label: string;
  text: string;
  /** Said to a person only: how long ago, what follows from it. */
  aside?: string | undefined;
}

/** A time as it is, for a person with how long ago that is; nothing happened yet: `never`. */
export const moment = (label: string, time: string | null | undefined): Detail => ({
  label,
  text: time ?? '',
  aside: relativeTime(time) || 'never',
});

/** Lines for a person: labels in a column of their own. */
export function renderDetails(details: readonly Detail[], { paint }: Pick<TableSpace, 'paint'>): string[] {
  const width = Math.max(...details.map(({ label }) => displayWidth(label)));
  return details.map(({ label, text, aside }) => {
    const words = [printable(text), ...(aside === undefined ? [] : [paint('dim', `(${printable(aside)})`)])];
    return `${paint('dim', label.padEnd(width))}  ${words.filter((word) => word !== '').join(' ')}`.trimEnd();
  });
}

/** Lines for a program: label and text, separated by a tab. */
export const plainDetails = (details: readonly Detail[]): string[] =>
  details.map(({ label, text }) => `${label}\t${printable(text)}`);
