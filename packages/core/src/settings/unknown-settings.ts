import { editDistance } from '../kernel/edit-distance.js';
import { settingDefinitions } from './setting-definitions.js';
import type { SettingFault } from './setting-fault.js';
import type { SettingWarning } from './setting-warning.js';

/** Beginnings that hardly any other program's settings have. */
const OURS = /^(?:latchkey|jwt|auth|webauthn|passkeys?|argon2|refresh_token)_/i;

/** What Kubernetes and Docker put into the environment for a service named `auth`. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT\w*)$|_PORT(?:_\d+_(?:TCP|UDP)\w*)?$/;

const NAMES: readonly string[] = settingDefinitions.map(({ name }) => name);

/** Warnings about names that are no settings and look as if they were meant to be. */
export function unknownSettings(names: readonly string[]): SettingWarning[] {
  return names.filter((name) => !SERVICE_LINK.test(name)).flatMap(warningOf);
}

/** Faults of names that are a slip away from a setting, for what is written for us and holds nothing else. */
export function misspeltSettings(names: readonly string[]): SettingFault[] {
  return names.flatMap((name) => {
    const { suggestion, isSlip } = nearest(name);
    const found = 'a name that is no setting';
    return isSlip ? [{ name, found, expected: suggestion, mend: `did you mean ${suggestion}?` }] : [];
  });
}

function warningOf(name: string): SettingWarning[] {
  const { suggestion, distance, isSlip } = nearest(name);
  if (!isSlip && !OURS.test(name)) return [];
  const isLikely = isSlip || distance <= suggestion.length / 3;
  const mend = isLikely ? `did you mean ${suggestion}? Rename it, or remove it` : 'remove it';
  return [{ name, found: 'a name that is no setting and is not read', mend }];
}

/** The setting with the most similar name. */
function nearest(name: string): { suggestion: string; distance: number; isSlip: boolean } {
  const given = name.toUpperCase();
  const suffixes = given.endsWith('_FILE') ? ['_FILE'] : ['', '_FILE'];
  const near = NAMES.flatMap((known) => suffixes.map((suffix) => known + suffix))
    .map((suggestion) => ({ suggestion, distance: editDistance(given, suggestion) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
  return { ...near, isSlip: near.distance <= (near.suggestion.length <= 5 ? 1 : 2) };
}
