import { frozenJson, isPlainObject } from './plain-json.js';

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
