import { awaitsRestart, type KeyRole, type RotatingKey } from './rotating-key.js';
import {
  knownEverywhereAt,
  refreshTokensGoneAt,
  tokensGoneAt,
  type RotationLifetimes,
} from './rotation-times.js';

/** Public view of a key. Times are ISO 8601, or null if unknown or not yet determined. */
export interface RotatingKeyView {
  kid: string;
  role: KeyRole;
  bits: number;
  madeAt: string | null;
  signsSince: string | null;
  /** Of a next key: time from which it may sign. */
  promotableAt: string | null;
  /** Of an old key: time from which no token needs it. */
  tokensGoneAt: string | null;
  /** Of an old key: time from which no session needs it either. */
  retirableAt: string | null;
}

/** The next step and the time from which it is possible; null means immediately, or after the services were restarted. */
export interface NextStep {
  step: 'publish' | 'restart' | 'promote' | 'retire';
  possibleAt: string | null;
}

/** Status of a rotation. */
export interface RotationStatus {
  folder: string;
  /** Settings with their file names; null for a file that the next `publish` creates. */
  settings: { JWT_SIGNING_KEY_PEM_FILE: string; JWT_VERIFICATION_KEYS_PEM_FILE: string | null };
  keys: RotatingKeyView[];
  next: NextStep;
  /** Lifetimes used to calculate the times. */
  lifetimes: RotationLifetimes;
}

export function viewOf(key: RotatingKey, lifetimes: RotationLifetimes): RotatingKeyView {
  const { kid, role, bits, record } = key;
  const isOld = role === 'old';
  return {
    kid,
    role,
    bits,
    madeAt: record.madeAt ?? null,
    signsSince: record.signsSince ?? null,
    promotableAt: role === 'next' ? isoOf(knownEverywhereAt(key)) : null,
    tokensGoneAt: isOld ? isoOf(tokensGoneAt(key, lifetimes)) : null,
    retirableAt: isOld ? isoOf(refreshTokensGoneAt(key, lifetimes)) : null,
  };
}

/** Returns the next step: first a pending restart, then the promotion of a next key, then the removal of old ones. */
export function nextStep(keys: readonly RotatingKey[], views: readonly RotatingKeyView[]): NextStep {
  if (keys.some(awaitsRestart)) return { step: 'restart', possibleAt: null };
  const next = views.find(({ role }) => role === 'next');
  if (next) return { step: 'promote', possibleAt: next.promotableAt };
  const retirable = views.flatMap(({ retirableAt }) => retirableAt ?? []).sort();
  return retirable[0] === undefined
    ? { step: 'publish', possibleAt: null }
    : { step: 'retire', possibleAt: retirable[0] };
}

const isoOf = (time: Date | undefined): string | null => time?.toISOString() ?? null;
