import { frozenJson, isPlainObject } from './plain-json.js';

/** Claims of a host app beside those of the service. */
export type ExtraClaims = Readonly<Record<string, unknown>>;

/** Shared by all tokens without: most have none. */
export const NO_EXTRA_CLAIMS: ExtraClaims = Object.freeze({});

/**
 * Bytes of extra claims as JSON. A token travels with each request, and in a cookie that has 4,096 bytes with its name:
 * with these, a key of 4,096 bits and addresses of common length, about a quarter is left.
 */
export const MAX_EXTRA_CLAIMS = 1024;

/**
 * Names whose meaning is given, so that no host app can give them another: RFC 7519 section 4.1, RFC 9068 section 2.2,
 * what binds or delegates a token (RFC 7800, RFC 8693), and what only this service says.
 */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['client_id', 'auth_time', 'acr', 'amr', 'scope'],
  ...['cnf', 'act', 'may_act', 'azp', 'nonce'],
  ...['sid', 'globalRole', 'tokenVersion'],
  '__proto__',
]);

/**
 * What a host app wants in a token, as it will be read from it: a frozen copy.
 * @throws TypeError that says which rule it breaks.
 */
export function checkedExtraClaims(value: unknown): ExtraClaims {
  if (isThenable(value)) {
    // Nobody waits for it, so its failure is nobody's; unheard it would end the process.
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

/** What a payload says beside the claims whose meaning is given. */
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
