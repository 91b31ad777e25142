import { CLOCK_LEEWAY } from '@latchkey/core/internal/tokens/access-token-claims';
import { KEY_SET_MAX_AGE } from '@latchkey/core/internal/tokens/key-set';
import type { RotatingKey } from './rotating-key.js';

/** Lifetimes of tokens and sessions, in seconds. */
export interface RotationLifetimes {
  accessTokenTtl: number;
  serviceTokenTtl: number;
  sessionMaxLifetime: number;
  /** True if refresh tokens are derived from a separate pepper and not from the signing key. */
  hasPepper: boolean;
}

/** Returns when all cached key sets contain this key, or undefined until the services were restarted. */
export function knownEverywhereAt({ record }: RotatingKey): Date | undefined {
  return later(record.publishedSince, KEY_SET_MAX_AGE);
}

/** Returns when all tokens signed by this key have expired, or undefined until the services were restarted. */
export function tokensGoneAt({ record }: RotatingKey, lifetimes: RotationLifetimes): Date | undefined {
  const longest = Math.max(lifetimes.accessTokenTtl, lifetimes.serviceTokenTtl);
  return later(record.unusedSince, longest + CLOCK_LEEWAY);
}

/**
 * Returns when all sessions with a refresh token derived from this key have ended. Equals `tokensGoneAt` if none was
 * derived from it.
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
