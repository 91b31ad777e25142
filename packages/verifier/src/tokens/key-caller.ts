import type { JWTPayload } from 'jose';
import { isObject } from '../json.js';
import type { VerifiedCaller } from './verified-caller.js';

const NUMERIC_DATES = ['iat', 'nbf', 'exp'];

/** The parts of a caller that a key does not have. */
const WITHOUT_SESSION = {
  kind: 'api-key',
  globalRole: 'NONE',
  tokenVersion: 0,
  authTime: 0,
  amr: Object.freeze([]),
  acr: undefined,
  act: undefined,
  claims: Object.freeze({}),
} as const;

/** Returns the caller of a token that a key was exchanged for. @throws TypeError unless its claims are those of such a token. */
export function readKeyClaims(payload: JWTPayload): VerifiedCaller {
  if (!NUMERIC_DATES.every((name) => Number.isSafeInteger(payload[name]))) throw malformed();
  const { sub, sid, jti, iat = 0, exp = 0, keyKind, companyId } = payload;
  if (
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    typeof jti !== 'string' ||
    typeof keyKind !== 'string'
  ) {
    throw malformed();
  }
  return Object.freeze({
    ...WITHOUT_SESSION,
    userId: sub,
    sessionId: sid,
    tokenId: jti,
    issuedAt: iat,
    expiresAt: exp,
    apiKey: Object.freeze({ id: sid, kind: keyKind }),
    ...(typeof companyId === 'string' && { companyId }),
  });
}

/** Returns the caller of a key by the response about it; undefined if that is not one about an active key. */
export function callerOfKey(data: Record<string, unknown>, issuedAt: number): VerifiedCaller | undefined {
  const { active, id, kind, userId, companyId, expiresAt, access } = data;
  if (active !== true || typeof id !== 'string' || typeof kind !== 'string') return undefined;
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) / 1000 : Number.MAX_SAFE_INTEGER;
  return Object.freeze({
    ...WITHOUT_SESSION,
    userId: typeof userId === 'string' ? userId : `key:${id}`,
    sessionId: id,
    tokenId: id,
    issuedAt,
    expiresAt: Math.floor(end),
    apiKey: Object.freeze({ id, kind }),
    ...(typeof companyId === 'string' && { companyId }),
    ...(isObject(access) && { access: Object.freeze(access) }),
  });
}

const malformed = (): TypeError => new TypeError('the claims are not those of a token of an API key');
