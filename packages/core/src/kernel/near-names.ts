import { editDistance } from './edit-distance.js';

/** Returns the edits allowed between a name of this length and a misspelling of it. */
const slipsIn = (name: string): number => Math.max(1, Math.floor(name.length / 3));

/** Returns up to three names similar to the given one, the most similar first. */
export function nearNames(given: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ name, distance }) => distance <= slipsIn(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Returns ` Did you mean …?`, or an empty text if no name is similar. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearNames(given, names);
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/**
 * Returns the distance of two names. A name that contains the other, as `user_login` contains `login`, is
 * near. Case and separators are ignored.
 */
function distanceOf(given: string, name: string): number {
  const [a, b] = [plain(given), plain(name)];
  const shorter = a.length < b.length ? a : b;
  const holds = shorter.length >= MIN_PART && a.includes(b) !== b.includes(a);
  return holds ? 1 : editDistance(a, b);
}

/** Shorter parts occur in too many names. */
const MIN_PART = 4;
/** Longer names are not misspellings; comparing them would waste time. */
const MAX_LENGTH = 64;

const plain = (name: string): string =>
  name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
