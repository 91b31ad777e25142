import { acceptInvitationScriptMessages as invitation } from '../../messages/en/accept-invitation.js';
import { shellMessages as shell } from '../../messages/en/console/shell.js';
import { PAGE_REGION } from '../page-region.js';

const locale = PAGE_REGION;
const numbers = new Intl.NumberFormat(locale);
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export const numberText = (value: number): string => numbers.format(value);
export const dateText = (iso: string): string => dates.format(new Date(iso));
/** Returns a day without a time, such as `2026-01-31`, in words. */
export const dayText = (day: string): string => days.format(new Date(day));
export const momentText = (iso: string): string => moments.format(new Date(iso));
export const exactText = (iso: string): string => exact.format(new Date(iso));

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Returns how long ago an instant was, or when it comes. */
export function agoText(iso: string | null | undefined, now = Date.now()): string {
  if (iso === undefined || iso === null) return shell.never;
  const seconds = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(0, 'second');
}

/** Returns a span of time in its largest unit. */
export function spanText(seconds: number): string {
  const [unit, size] = UNITS.slice(2).find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(locale, style).format(Math.floor(seconds / size));
}

/** Returns the name of a user, or else the address. */
export const nameOf = ({ fullName, email }: { fullName?: string | null; email: string }): string =>
  fullName ?? email;

/** Returns at most two letters for the picture of a user. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== '');
  const last = words.length > 1 && !name.includes('@') ? firstLetter(words.at(-1)) : '';
  return (firstLetter(words[0]) + last).toLocaleUpperCase(locale);
}

/** Returns the first character, of however many code units. */
const firstLetter = (word = ''): string => String.fromCodePoint(word.codePointAt(0) ?? 0x20).trim();

/** Returns the last part of an id, which tells records apart; the first parts of many ids are their time. */
export const shortId = (id: string): string => id.slice(-8);

/** Returns a name that the service sent without a text of ours as words. */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns a role in a company in words, as pages of invitations do. */
export const companyRoleText = (role: string): string => invitation.role(role);
