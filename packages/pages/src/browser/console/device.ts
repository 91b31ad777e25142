import { sessionMessages as messages } from '../../messages/en/console/operations.js';
import type { Session } from './types.js';

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (list: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** Returns a short name of the program behind a `User-Agent`. */
export function programOf(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined;
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser !== undefined && system !== undefined) return messages.on(browser, system);
  return browser ?? system ?? userAgent.split(/[\s/]/)[0];
}

/** The names that the service makes of a `User-Agent` itself, if the client sent none: "Safari on iOS". */
const MADE_NAME = / on (iOS|macOS|Android|Windows|Linux|Chrome OS|Ubuntu)$/;

/** Returns the name of the device of a session: the name that its client sent, else that of its program. */
export function deviceOf({ deviceName, userAgent }: Pick<Session, 'deviceName' | 'userAgent'>): string {
  const program = programOf(userAgent);
  const isMade = deviceName === null || (program !== undefined && MADE_NAME.test(deviceName));
  return (isMade ? program : deviceName) ?? messages.unknownDevice;
}
