import { isLocalHost } from '../kernel/local-host.js';
import type { Settings } from '../settings/settings.js';

export const isProduction = ({ environment }: Pick<Settings, 'environment'>): boolean =>
  environment === 'production';

/** Reports whether only this machine can mean the address. */
export const isLocalAddress = (url: string): boolean => isLocalHost(new URL(url).hostname);

/** `3 days`, `12 minutes`: the largest whole unit. */
export function inWords(seconds: number): string {
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];
