import { isCleanText } from '../kernel/text.js';

/** Maximum depth of a value. The limit also rejects circular values. */
const MAX_DEPTH = 16;

/**
 * Returns a deeply frozen copy of a value that JSON can represent without loss. Undefined members of objects are omitted,
 * as in JSON.
 * @throws TypeError with the path of the first value that JSON cannot represent.
 */
function frozenJson(value: unknown, path: string, depth = 0): unknown {
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

function isPlainObject(value: unknown): value is Record<string, unknown> {
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

/** Claims that a host app adds to those of the service. */
export type ExtraClaims = Readonly<Record<string, unknown>>;

/** Shared by all tokens without extra claims, which most are. */
export const NO_EXTRA_CLAIMS: ExtraClaims = Object.freeze({});

/**
 * Maximum size of extra claims as JSON, in bytes. A token is sent with each request, possibly in a cookie, which is
 * limited to 4,096 bytes including its name. With this size, a key of 4,096 bits and URLs of common length, about a
 * quarter is left.
 */
export const MAX_EXTRA_CLAIMS = 1024;

/**
 * Claim names that a host app cannot use: RFC 7519 section 4.1, RFC 9068 section 2.2, claims that bind or delegate a
 * token (RFC 7800, RFC 8693), and claims of this service.
 */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['client_id', 'auth_time', 'acr', 'amr', 'scope'],
  ...['cnf', 'act', 'may_act', 'azp', 'nonce'],
  ...['sid', 'globalRole', 'tokenVersion'],
  '__proto__',
]);

/**
 * Returns a frozen copy of the claims of a host app, as a verified token will contain them.
 * @throws TypeError that names the violated rule.
 */
export function checkedExtraClaims(value: unknown): ExtraClaims {
  if (isThenable(value)) {
    // The promise is not awaited. An unhandled rejection would end the process.
    void Promise.resolve(value).catch(() => undefined);
    throw new TypeError(
      'claims gave a promise: it is synchronous and pure, so that a token never waits for anything',
    );
  }
  if (!isPlainObject(value)) {
    throw new TypeError('claims must give a plain object, {} where there is nothing to say');
  }
  const reserved = Object.keys(value).filter((name) => RESERVED_CLAIMS.has(name));
  if (reserved.length > 0) {
    throw new TypeError(`claims gave ${reserved.join(', ')}: these names belong to the service`);
  }
  const claims = frozenJson(value, 'claims') as ExtraClaims;
  assertFits(claims);
  return Object.keys(claims).length === 0 ? NO_EXTRA_CLAIMS : claims;
}

/** Returns the claims of a payload whose names are not reserved. */
export function extraClaimsOf(payload: Readonly<Record<string, unknown>>): ExtraClaims {
  const extra = Object.entries(payload).filter(([name]) => !RESERVED_CLAIMS.has(name));
  if (extra.length === 0) return NO_EXTRA_CLAIMS;
  return frozenJson(Object.fromEntries(extra), 'claims') as ExtraClaims;
}

function assertFits(claims: ExtraClaims): void {
  const bytes = Buffer.byteLength(JSON.stringify(claims));
  if (bytes <= MAX_EXTRA_CLAIMS) return;
  throw new TypeError(
    `claims gave ${bytes} bytes as JSON, at most ${MAX_EXTRA_CLAIMS} are allowed: tokens travel with each request`,
  );
}

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';
