import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PAGE_REGION } from '../page-region.js';

const RELATIVE = new Intl.RelativeTimeFormat(PAGE_REGION, { numeric: 'auto' });
const DATE_TIME = new Intl.DateTimeFormat(PAGE_REGION, { dateStyle: 'medium', timeStyle: 'short' });

/** The units of relative times, with the seconds from which each is used. */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const TICK_MS = 60_000;

/** Returns a time as people say it: "5 minutes ago", "yesterday"; "now" within a minute. */
function relativeText(time: Date, now = Date.now()): string {
  const seconds = Math.round((time.getTime() - now) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 0] as const);
  return size === 0 ? RELATIVE.format(0, 'second') : RELATIVE.format(Math.trunc(seconds / size), unit);
}

/** Returns date and time in the language of the page, as usual in the region of the browser. */
export const dateTimeText = (iso: string): string => DATE_TIME.format(new Date(iso));

/** A time relative to now, kept up to date; its tooltip has date and time. */
export function RelativeTime({ at }: { at: string }): VNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={dateTimeText(at)}>
      {relativeText(new Date(at), now)}
    </time>
  );
}
