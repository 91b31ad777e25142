import { isCleanText } from '../kernel/text.js';

/** Maximum depth of a value. The limit also rejects circular values. */
const MAX_DEPTH = 16;

/**
 * Returns a deeply frozen copy of a value that JSON can represent without loss. Undefined members of objects are omitted,
 * as in JSON.
 * @throws TypeError with the path of the first value that JSON cannot represent.
 */
export function frozenJson(value: unknown, path: string, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new TypeError(`${path} is nested deeper than ${MAX_DEPTH} levels`);
  if (isPlain(value)) return value;
  if (Array.isArray(value)) {
    return Object.freeze(
      Array.from(value, (item: unknown, index) => frozenJson(item, `${path}[${index}]`, depth + 1)),
    );
  }
  if (isPlainObject(value)) return frozenObject(value, path, depth);
  throw new TypeError(`${path} is ${described(value)}, which JSON cannot represent`);
}

function frozenObject(value: Record<string, unknown>, path: string, depth: number): object {
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (inner === undefined) return [];
    if (name === '__proto__' || !isCleanText(name)) {
      throw new TypeError(`${path} has a member with the name ${JSON.stringify(name)}`);
    }
    return [[name, frozenJson(inner, `${path}.${name}`, depth + 1)]];
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
