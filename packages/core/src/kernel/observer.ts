import type { UseCaseOutcome } from './use-case-outcome.js';

/** The ways people sign in. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'handoff', 'invitation'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/**
 * What became of a refresh. `coalesced`: it overlapped with another and got the same successor; `reuse`: the token had
 * been used before, and the session was ended.
 */
export const REFRESH_OUTCOMES = [
  'rotated',
  'coalesced',
  'reuse',
  'unknown',
  'expired',
  'revoked',
  'denied',
  'error',
] as const;
export type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number];

export const PASSWORD_RESET_STEPS = ['request', 'confirm'] as const;
export type PasswordResetStep = (typeof PASSWORD_RESET_STEPS)[number];

/**
 * Limits count attempts to sign in of an address or at an account, requests of an address that write a row for nobody the
 * service knows, and confirmations of a session.
 */
export const LIMITS = ['address', 'account', 'anonymous', 'session'] as const;
export type Limit = (typeof LIMITS)[number];

/**
 * What a limit decided. `store_away_open`: let through on what this process alone knows; `store_away_closed`: refused
 * because nothing else is known.
 */
export const LIMIT_DECISIONS = ['allowed', 'limited', 'store_away_open', 'store_away_closed'] as const;
export type LimitDecision = (typeof LIMIT_DECISIONS)[number];

export const HASHING_OPERATIONS = ['hash', 'verify'] as const;
export type HashingOperation = (typeof HASHING_OPERATIONS)[number];

/**
 * Told of what a running service decides, where it is decided: how it ended, never whom it was about. It is called in the
 * middle of the work, so it returns at once and never throws.
 */
export interface Observer {
  signIn(method: SignInMethod, outcome: UseCaseOutcome): void;
  refresh(outcome: RefreshOutcome): void;
  registration(outcome: UseCaseOutcome): void;
  passwordReset(step: PasswordResetStep, outcome: UseCaseOutcome): void;
  /** The exchange of a client's secret for a token. */
  serviceToken(outcome: UseCaseOutcome): void;
  /** @param seconds of work, the wait for a thread not counted. */
  passwordHashed(operation: HashingOperation, seconds: number): void;
  /** A password found no room in the queue, or waited too long. */
  hashingRefused(): void;
  limit(limit: Limit, decision: LimitDecision): void;
  /** Entitlements were asked for, not taken from memory. */
  entitlements(outcome: UseCaseOutcome, seconds: number): void;
  /** An operation of the ephemeral store failed. */
  storeFailed(): void;
}

const nothing = (): void => undefined;

/** For parts that nobody measures. */
export const unobserved: Observer = {
  signIn: nothing,
  refresh: nothing,
  registration: nothing,
  passwordReset: nothing,
  serviceToken: nothing,
  passwordHashed: nothing,
  hashingRefused: nothing,
  limit: nothing,
  entitlements: nothing,
  storeFailed: nothing,
};
