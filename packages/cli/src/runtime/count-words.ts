import type { ListTotal, SessionStats } from '@latchkey/core';

/** Returns a count with its noun: `1 key`, `3 keys`, `10,000+ keys`. */
export function countOf(count: number | ListTotal, singular: string, plural = `${singular}s`): string {
  return withNoun(typeof count === 'number' ? String(count) : totalText(count), singular, plural);
}

/** Returns the text of a count with its noun in singular or plural. */
export const withNoun = (text: string, singular: string, plural = `${singular}s`): string =>
  `${text} ${text === '1' ? singular : plural}`;

/** Returns the total of a list: `7`, or `10,000+` for a lower bound. */
export const totalText = ({ total, isTotalExact }: ListTotal): string =>
  isTotalExact ? String(total) : `${total.toLocaleString('en-US')}+`;

/** Returns a number of session statistics: `7`, or `about 1,800,000` for an estimate. */
export const statText = (count: number, { isEstimate }: Pick<SessionStats, 'isEstimate'>): string =>
  isEstimate === true ? `about ${roundTo(count, 3).toLocaleString('en-US')}` : String(count);

const roundTo = (count: number, digits: number): number => Number(count.toPrecision(digits));
