import { OUTCOMES, type UseCaseOutcome } from './use-case-outcome.js';

/** The methods of signing in; `app`: any that the app around the service has verified itself. */
export const SIGN_IN_METHODS = [
  'password',
  'passkey',
  'handoff',
  'invitation',
  'app',
  'external',
  'mail',
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** The result of a sign-in. `second_factor_required`: the first factor was right, and there is no session yet. */
export const SIGN_IN_OUTCOMES = [...OUTCOMES, 'second_factor_required'] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

/** The second factors that are proved by a code. */
export const FACTOR_NAMES = ['totp', 'recovery_code'] as const;
export type FactorName = (typeof FACTOR_NAMES)[number];

/**
 * The proofs of a second factor at a sign-in; `enrolment`: a code of a factor that was set up for it; `trusted_device`: the user had
 * trusted the device, so no code was asked for.
 */
export const SECOND_FACTOR_KINDS = [...FACTOR_NAMES, 'enrolment', 'trusted_device'] as const;
export type SecondFactorKind = (typeof SECOND_FACTOR_KINDS)[number];

/**
 * The result of a refresh. `coalesced`: it overlapped with another and got the same successor; `reuse`: the
 * token had been used before, and the session was ended.
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

/** The proofs of a step-up. */
export const STEP_UP_METHODS = ['password', 'passkey', 'code', 'recovery_code', 'external', 'app'] as const;
export type StepUpMethod = (typeof STEP_UP_METHODS)[number];

export const PASSWORD_RESET_STEPS = ['request', 'confirm'] as const;
export type PasswordResetStep = (typeof PASSWORD_RESET_STEPS)[number];

/** The uses of the links that prove a mailbox, and requests for another one. */
export const EMAIL_VERIFICATION_STEPS = ['verify', 'resend', 'reject'] as const;
export type EmailVerificationStep = (typeof EMAIL_VERIFICATION_STEPS)[number];

export const EMAIL_CHANGE_STEPS = ['request', 'confirm', 'undo'] as const;
export type EmailChangeStep = (typeof EMAIL_CHANGE_STEPS)[number];

/**
 * The limits on sign-in attempts of an address or at an account, on requests of an address that write a row
 * for an unknown client, and on confirmations of a session.
 */
export const LIMITS = ['address', 'account', 'anonymous', 'session'] as const;
export type Limit = (typeof LIMITS)[number];

/**
 * The decision of a limit. `store_away_open`: allowed on the knowledge of this process alone;
 * `store_away_closed`: rejected because nothing else is known.
 */
export const LIMIT_DECISIONS = ['allowed', 'limited', 'store_away_open', 'store_away_closed'] as const;
export type LimitDecision = (typeof LIMIT_DECISIONS)[number];

export const HASHING_OPERATIONS = ['hash', 'verify'] as const;
export type HashingOperation = (typeof HASHING_OPERATIONS)[number];

/** The result of a lookup in the list of breached passwords. `failed`: the list could not be read. */
export const BREACH_LOOKUP_OUTCOMES = ['listed', 'unlisted', 'failed'] as const;
export type BreachLookupOutcome = (typeof BREACH_LOOKUP_OUTCOMES)[number];

/** The class of the response to a delivery of a webhook, or the failure. */
export const WEBHOOK_OUTCOMES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'refused', 'timeout', 'tls'] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/**
 * Receives the decisions of a running service where they are made: how each ended, never which user it was
 * about. Its methods run in the middle of the work, so they return at once and never throw.
 */
export interface Observer {
  signIn(method: SignInMethod, outcome: SignInOutcome): void;
  /** A sign-in was completed by a second factor, or not. */
  secondFactor(kind: SecondFactorKind, outcome: UseCaseOutcome): void;
  refresh(outcome: RefreshOutcome): void;
  stepUp(method: StepUpMethod, outcome: UseCaseOutcome): void;
  registration(outcome: UseCaseOutcome): void;
  passwordReset(step: PasswordResetStep, outcome: UseCaseOutcome): void;
  emailVerification(step: EmailVerificationStep, outcome: UseCaseOutcome): void;
  emailChange(step: EmailChangeStep, outcome: UseCaseOutcome): void;
  /** The exchange of a client's secret for a token. */
  serviceToken(outcome: UseCaseOutcome): void;
  /** @param seconds of work, without the wait for a thread. */
  passwordHashed(operation: HashingOperation, seconds: number): void;
  /** The hashing queue was full, or a password waited too long in it. */
  hashingRefused(): void;
  /** A new password was looked up in the list of breached passwords. */
  breachLookup(outcome: BreachLookupOutcome): void;
  limit(limit: Limit, decision: LimitDecision): void;
  /** Entitlements were fetched, not taken from memory. */
  entitlements(outcome: UseCaseOutcome, seconds: number): void;
  /** One attempt to deliver a webhook. */
  webhookAttempt(outcome: WebhookOutcome): void;
  /** An operation of the ephemeral store failed. */
  storeFailed(): void;
}

const nothing = (): void => undefined;

/** An observer that ignores everything, for parts without metrics. */
export const unobserved: Observer = {
  signIn: nothing,
  secondFactor: nothing,
  refresh: nothing,
  stepUp: nothing,
  registration: nothing,
  passwordReset: nothing,
  emailVerification: nothing,
  emailChange: nothing,
  serviceToken: nothing,
  passwordHashed: nothing,
  hashingRefused: nothing,
  breachLookup: nothing,
  limit: nothing,
  entitlements: nothing,
  webhookAttempt: nothing,
  storeFailed: nothing,
};
