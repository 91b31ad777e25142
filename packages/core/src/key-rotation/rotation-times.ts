import { CLOCK_LEEWAY } from '../tokens/access-token-claims.js';
import { KEY_SET_MAX_AGE } from '../tokens/key-set.js';
import type { RotatingKey } from './rotating-key.js';

/** How long what a key has made is good; seconds. */
export interface RotationLifetimes {
  accessTokenTtl: number;
  serviceTokenTtl: number;
  sessionMaxLifetime: number;
  /** True: refresh tokens are derived from a pepper of their own and not from the signing key. */
  hasPepper: boolean;
}

/** When no verifier can hold a key set without this key; undefined until the services were restarted. */
export function knownEverywhereAt({ record }: RotatingKey): Date | undefined {
  return later(record.publishedSince, KEY_SET_MAX_AGE);
}

/** When no token that this key has signed is valid any more; undefined until the services were restarted. */
export function tokensGoneAt({ record }: RotatingKey, lifetimes: RotationLifetimes): Date | undefined {
  const longest = Math.max(lifetimes.accessTokenTtl, lifetimes.serviceTokenTtl);
  return later(record.unusedSince, longest + CLOCK_LEEWAY);
}

/**
 * When no session has a refresh token any more that was derived from this key; the same as `tokensGoneAt` where none
 * ever was.
 */
export function refreshTokensGoneAt(key: RotatingKey, lifetimes: RotationLifetimes): Date | undefined {
  const derivesNone = lifetimes.hasPepper || !key.isPrivate;
  const tokensGone = tokensGoneAt(key, lifetimes);
  if (derivesNone || tokensGone === undefined) return tokensGone;
  const sessionsGone = later(key.record.unusedSince, lifetimes.sessionMaxLifetime);
  return sessionsGone !== undefined && sessionsGone > tokensGone ? sessionsGone : tokensGone;
}

function later(time: string | undefined, seconds: number): Date | undefined {
  return time === undefined ? undefined : new Date(Date.parse(time) + seconds * 1000);
}
