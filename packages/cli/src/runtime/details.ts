import { hanging } from './hanging.js';
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

/** Lines for a person: labels in a column of their own, and what is long stays in its own column, too. */
export function renderDetails(details: readonly Detail[], { columns, paint }: TableSpace): string[] {
  const width = Math.max(...details.map(({ label }) => displayWidth(label)));
  return details.flatMap(({ label, text, aside }) => {
    const words = [printable(text), ...(aside === undefined ? [] : [paint('dim', `(${printable(aside)})`)])];
    const lead = `${paint('dim', label.padEnd(width))}  `;
    const value = words.filter((word) => word !== '').join(' ');
    return hanging(lead, value, columns).map((line) => line.trimEnd());
  });
}

/** Lines for a program: label and text, separated by a tab. */
export const plainDetails = (details: readonly Detail[]): string[] =>
  details.map(({ label, text }) => `${label}\t${printable(text)}`);
