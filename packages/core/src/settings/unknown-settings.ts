import { editDistance } from '../kernel/edit-distance.js';
import { settingDefinitions } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';
import type { SettingWarning } from './setting-warning.js';

/** Prefixes that settings of other programs rarely have. */
const OURS = /^(?:latchkey|jwt|auth|webauthn|passkeys?|argon2|refresh_token)_/i;

/** Variables that Kubernetes and Docker add for a service named `auth`. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT\w*)$|_PORT(?:_\d+_(?:TCP|UDP)\w*)?$/;

const NAMES: readonly string[] = settingDefinitions.map(({ name }) => name);
const FILE_NAMES: readonly string[] = NAMES.map((name) => `${name}_FILE`);

/** Returns warnings about unknown names that look like settings. */
export function unknownSettings(names: readonly string[]): SettingWarning[] {
  return names.filter((name) => !SERVICE_LINK.test(name)).flatMap(warningOf);
}

/** Returns faults for misspelled settings, for sources that contain nothing but settings. */
export function misspeltSettings(names: readonly string[]): SettingFault[] {
  return names.flatMap((name) => {
    const { suggestion, isSlip } = nearest(name, MOST_SLIPS);
    const found = 'an unknown setting name';
    return isSlip ? [{ name, found, expected: suggestion, fix: `did you mean ${suggestion}?` }] : [];
  });
}

function warningOf(name: string): SettingWarning[] {
  const isOurs = OURS.test(name);
  // An environment has dozens of names of other programs: a full comparison with each setting took a third of a start.
  const { suggestion, distance, isSlip } = nearest(name, isOurs ? Number.POSITIVE_INFINITY : MOST_SLIPS);
  if (!isSlip && !isOurs) return [];
  const isLikely = isSlip || distance <= suggestion.length / 3;
  const fix = isLikely ? `did you mean ${suggestion}? Rename it, or remove it` : 'remove it';
  return [{ name, found: 'an unknown setting name, which is ignored', fix }];
}

/** The edits that a misspelled name may have; one of a short name is almost another word with two. */
const MOST_SLIPS = 2;
const SHORT_NAME = 5;

/** Returns the setting with the most similar name; its distance is infinite if it is more than `most`. */
function nearest(name: string, most: number): { suggestion: string; distance: number; isSlip: boolean } {
  const given = name.toUpperCase();
  const near = (given.endsWith('_FILE') ? FILE_NAMES : [...NAMES, ...FILE_NAMES])
    .map((suggestion) => ({ suggestion, distance: editDistance(given, suggestion, most) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
  return { ...near, isSlip: near.distance <= (near.suggestion.length <= SHORT_NAME ? 1 : MOST_SLIPS) };
}
