import { editDistance } from '../kernel/edit-distance.js';
import { settingDefinitions } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';
import type { SettingWarning } from './setting-warning.js';

/** Prefixes that settings of other programs rarely have. */
const OURS = /^(?:latchkey|jwt|auth|webauthn|passkeys?|argon2|refresh_token)_/i;

/** Variables that Kubernetes and Docker add for a service named `auth`. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT\w*)$|_PORT(?:_\d+_(?:TCP|UDP)\w*)?$/;

const NAMES: readonly string[] = settingDefinitions.map(({ name }) => name);

/** Returns warnings about unknown names that look like settings. */
export function unknownSettings(names: readonly string[]): SettingWarning[] {
  return names.filter((name) => !SERVICE_LINK.test(name)).flatMap(warningOf);
}

/** Returns faults for misspelled settings, for sources that contain nothing but settings. */
export function misspeltSettings(names: readonly string[]): SettingFault[] {
  return names.flatMap((name) => {
    const { suggestion, isSlip } = nearest(name);
    const found = 'an unknown setting name';
    return isSlip ? [{ name, found, expected: suggestion, fix: `did you mean ${suggestion}?` }] : [];
  });
}

function warningOf(name: string): SettingWarning[] {
  const { suggestion, distance, isSlip } = nearest(name);
  if (!isSlip && !OURS.test(name)) return [];
  const isLikely = isSlip || distance <= suggestion.length / 3;
  const fix = isLikely ? `did you mean ${suggestion}? Rename it, or remove it` : 'remove it';
  return [{ name, found: 'an unknown setting name, which is ignored', fix }];
}

/** Returns the setting with the most similar name. */
function nearest(name: string): { suggestion: string; distance: number; isSlip: boolean } {
  const given = name.toUpperCase();
  const suffixes = given.endsWith('_FILE') ? ['_FILE'] : ['', '_FILE'];
  const near = NAMES.flatMap((known) => suffixes.map((suffix) => known + suffix))
    .map((suggestion) => ({ suggestion, distance: editDistance(given, suggestion) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
  return { ...near, isSlip: near.distance <= (near.suggestion.length <= 5 ? 1 : 2) };
}
