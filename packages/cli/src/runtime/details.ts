import { hanging } from './hanging.js';
import { displayWidth, printable } from './printable.js';
import { relativeTime } from './relative-time.js';
import type { TableSpace } from './table.js';

/** One property of an object that is shown in full. */
export interface Detail {
  label: string;
  text: string;
  /** An explanation for people only: how long ago, or the consequence. */
  aside?: string | undefined;
}

/** Returns a time as a property; people also see how long ago it is, or `never`. */
export const moment = (label: string, time: string | null | undefined): Detail => ({
  label,
  text: time ?? '',
  aside: relativeTime(time) || 'never',
});

/** Returns lines for a person: labels in one column, and texts wrapped in the next. */
export function renderDetails(details: readonly Detail[], { columns, paint }: TableSpace): string[] {
  const width = Math.max(...details.map(({ label }) => displayWidth(label)));
  return details.flatMap(({ label, text, aside }) => {
    const words = [printable(text), ...(aside === undefined ? [] : [paint('dim', `(${printable(aside)})`)])];
    const lead = `${paint('dim', label.padEnd(width))}  `;
    const value = words.filter((word) => word !== '').join(' ');
    return hanging(lead, value, columns).map((line) => line.trimEnd());
  });
}

/** Returns lines for a program: label and text, separated by a tab. */
export const plainDetails = (details: readonly Detail[]): string[] =>
  details.map(({ label, text }) => `${label}\t${printable(text)}`);
