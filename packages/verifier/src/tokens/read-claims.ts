import type { JWTPayload } from 'jose';
import type { VerifiedCaller } from './verified-caller.js';

/** Maximum depth of a value, the same as in the service. */
const MAX_DEPTH = 16;

/**
 * Returns a deeply frozen copy of parsed JSON.
 * @throws TypeError for a NUL, half of a surrogate pair, a name that changes prototypes, and for too many levels: the
 * service issues none of these, and refuses them as well.
 */
function frozenJson(value: unknown, depth = 0): unknown {
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

/** Names of the service's own claims; all others are those of a host app. */
const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['client_id', 'auth_time', 'acr', 'amr', 'scope'],
  ...['cnf', 'act', 'may_act', 'azp', 'nonce'],
  ...['sid', 'globalRole', 'tokenVersion'],
  '__proto__',
]);

const NUMERIC_DATES = ['iat', 'nbf', 'exp', 'auth_time'];

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the caller of a payload. @throws TypeError unless its claims are those of an access token. */
export function readClaims(payload: JWTPayload): VerifiedCaller {
  // `typeof` is not sufficient: a token with `"exp": 1e400` would never expire.
  if (!NUMERIC_DATES.every((name) => Number.isSafeInteger(payload[name]))) throw malformed();
  const { sub, sid, jti, iat, exp, globalRole, tokenVersion, amr, acr } = payload;
  if (
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    !UUID_PATTERN.test(sid) ||
    typeof jti !== 'string' ||
    typeof iat !== 'number' ||
    typeof exp !== 'number' ||
    typeof globalRole !== 'string' ||
    typeof tokenVersion !== 'number' ||
    typeof payload.auth_time !== 'number'
  ) {
    throw malformed();
  }
  return Object.freeze({
    kind: 'session',
    userId: sub,
    sessionId: sid,
    tokenId: jti,
    issuedAt: iat,
    expiresAt: exp,
    globalRole,
    tokenVersion,
    authTime: payload.auth_time,
    amr: textsOf(amr),
    acr: typeof acr === 'string' ? acr : undefined,
    act: actOf(payload.act),
    claims: extraClaimsOf(payload),
  });
}

const malformed = (): TypeError => new TypeError('the claims are not those of an access token');

/** Returns the claim of who acts for the user. @throws TypeError for one without a subject: it must not be overlooked. */
function actOf(value: unknown): VerifiedCaller['act'] {
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && 'sub' in value && typeof value.sub === 'string') {
    return Object.freeze({ sub: value.sub });
  }
  throw malformed();
}

const textsOf = (value: unknown): readonly string[] =>
  Object.freeze(Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []);

const extraClaimsOf = (payload: JWTPayload): Readonly<Record<string, unknown>> =>
  frozenJson(
    Object.fromEntries(Object.entries(payload).filter(([name]) => !RESERVED_CLAIMS.has(name))),
  ) as Readonly<Record<string, unknown>>;
