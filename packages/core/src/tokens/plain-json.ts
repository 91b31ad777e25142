import { isCleanText } from '../kernel/text.js';

/** Deeper values are refused, and with them those that hold themselves. */
const MAX_DEPTH = 16;

/**
 * A copy of a value that JSON can say without loss, frozen through and through. Members of objects that are undefined
 * are left out, as JSON leaves them out.
 * @throws TypeError that names the place of what JSON cannot say.
 */
export function frozenJson(value: unknown, place: string, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new TypeError(`${place} is nested deeper than ${MAX_DEPTH} levels`);
  if (isPlain(value)) return value;
  if (Array.isArray(value)) {
    return Object.freeze(
      Array.from(value, (item: unknown, index) => frozenJson(item, `${place}[${index}]`, depth + 1)),
    );
  }
  if (isPlainObject(value)) return frozenObject(value, place, depth);
  throw new TypeError(`${place} is ${described(value)}, which JSON has no word for`);
}

function frozenObject(value: Record<string, unknown>, place: string, depth: number): object {
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (inner === undefined) return [];
    if (name === '__proto__' || !isCleanText(name)) {
      throw new TypeError(`${place} has a member with the name ${JSON.stringify(name)}`);
    }
    return [[name, frozenJson(inner, `${place}.${name}`, depth + 1)]];
  });
  return Object.freeze(Object.fromEntries<unknown>(members));
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && isCleanText(value)) ||
  (typeof value === 'number' && Number.isFinite(value));

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function described(value: unknown): string {
  if (typeof value === 'string') return 'text with a NUL or an unpaired surrogate';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null) return `an object of class ${className(value)}`;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

function className(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' ? constructor.name : 'its own';
}
