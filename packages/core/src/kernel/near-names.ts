import { editDistance } from './edit-distance.js';

/** Letters that may differ in a name of this length before it is another one. */
const slipsIn = (name: string): number => Math.max(1, Math.floor(name.length / 3));

/** Up to three of the names that look like the one given, the nearest first. */
export function nearNames(given: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ name, distance }) => distance <= slipsIn(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** ` Did you mean …?`, or nothing where nothing is near. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearNames(given, names);
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/** A name that holds the other whole, as `user_login` holds `login`, is near to it; case and separators do not count. */
function distanceOf(given: string, name: string): number {
  const [a, b] = [plain(given), plain(name)];
  const shorter = a.length < b.length ? a : b;
  const holds = shorter.length >= MIN_PART && a.includes(b) !== b.includes(a);
  return holds ? 1 : editDistance(a, b);
}

/** Shorter parts are in everything. */
const MIN_PART = 4;
/** Longer names are no slips; comparing them would only take time. */
const MAX_LENGTH = 64;

const plain = (name: string): string =>
  name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
