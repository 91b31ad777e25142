/** Maximum depth of a value, the same as in the service. */
const MAX_DEPTH = 16;

/**
 * Returns a deeply frozen copy of parsed JSON.
 * @throws TypeError for a NUL, half of a surrogate pair, a name that changes prototypes, and for too many levels: the
 * service issues none of these, and refuses them as well.
 */
export function frozenJson(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new TypeError(`claims are nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('a claim is not finite');
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenJson(item, depth + 1)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (name === '__proto__') throw new TypeError('a claim is named __proto__');
    return [cleanText(name), frozenJson(inner, depth + 1)];
  });
  return Object.freeze(Object.fromEntries(members));
}

function cleanText(text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text;
  throw new TypeError('a claim has a NUL or an unpaired surrogate');
}
