/** Deeper JSON than this is refused: no input of ours needs it, and walking it must not exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * A NUL, which PostgreSQL cannot store, or half of a surrogate pair, which no encoding can carry.
 * @example
 * ```ts
 * isCleanText('Zoë 🌷'); // → true
 * isCleanText('half a pair: \uD83C'); // → false
 * ```
 */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * What is wrong with the strings and the shape of a JSON value, naming the place; undefined when nothing is.
 * Keys are checked too.
 * @example
 * ```ts
 * findUncleanText({ user: { fullName: 'Ann\u0000' } }); // → 'user.fullName: contains a NUL or an unpaired surrogate'
 * findUncleanText(['all', 'is', 'well']); // → undefined
 * ```
 */
export function findUncleanText(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') {
    return isCleanText(value) ? undefined : `${path}: contains a NUL or an unpaired surrogate`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return `${path}: nested deeper than ${MAX_DEPTH} levels`;
  for (const [key, inner] of Object.entries(value)) {
    if (!isCleanText(key)) return `${path || 'body'}: a field name contains a NUL or an unpaired surrogate`;
    const fault = findUncleanText(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
