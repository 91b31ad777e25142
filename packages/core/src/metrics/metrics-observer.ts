import type { Counter, Histogram, Registry } from 'prom-client';
import type {
  HashingOperation,
  Limit,
  LimitDecision,
  Observer,
  PasswordResetStep,
  RefreshOutcome,
  SignInMethod,
} from '../kernel/observer.js';
import type { UseCaseOutcome } from '../kernel/use-case-outcome.js';
import { makeCounter, makeHistogram } from './instruments.js';
import { serviceDefinitions as definitions } from './service-definitions.js';

/** Counts the decisions that the service reports. */
export class MetricsObserver implements Observer {
  readonly #signIns: Counter<'method' | 'outcome'>;
  readonly #refreshes: Counter<'outcome'>;
  readonly #registrations: Counter<'outcome'>;
  readonly #passwordResets: Counter<'step' | 'outcome'>;
  readonly #serviceTokens: Counter<'outcome'>;
  readonly #hashing: Histogram<'operation'>;
  readonly #hashingRefused: Counter;
  readonly #limits: Counter<'limit' | 'decision'>;
  readonly #entitlements: Histogram<'outcome'>;
  readonly #storeErrors: Counter;

  constructor(registry: Registry) {
    this.#signIns = makeCounter(registry, definitions.signIns);
    this.#refreshes = makeCounter(registry, definitions.refreshes);
    this.#registrations = makeCounter(registry, definitions.registrations);
    this.#passwordResets = makeCounter(registry, definitions.passwordResets);
    this.#serviceTokens = makeCounter(registry, definitions.serviceTokens);
    this.#hashing = makeHistogram(registry, definitions.hashingDuration);
    this.#hashingRefused = makeCounter(registry, definitions.hashingRefused);
    this.#limits = makeCounter(registry, definitions.limits);
    this.#entitlements = makeHistogram(registry, definitions.entitlements);
    this.#storeErrors = makeCounter(registry, definitions.storeErrors);
  }

  signIn(method: SignInMethod, outcome: UseCaseOutcome): void {
    this.#signIns.inc({ method, outcome });
  }

  refresh(outcome: RefreshOutcome): void {
    this.#refreshes.inc({ outcome });
  }

  registration(outcome: UseCaseOutcome): void {
    this.#registrations.inc({ outcome });
  }

  passwordReset(step: PasswordResetStep, outcome: UseCaseOutcome): void {
    this.#passwordResets.inc({ step, outcome });
  }

  serviceToken(outcome: UseCaseOutcome): void {
    this.#serviceTokens.inc({ outcome });
  }

  passwordHashed(operation: HashingOperation, seconds: number): void {
    this.#hashing.observe({ operation }, seconds);
  }

  hashingRefused(): void {
    this.#hashingRefused.inc();
  }

  limit(limit: Limit, decision: LimitDecision): void {
    this.#limits.inc({ limit, decision });
  }

  entitlements(outcome: UseCaseOutcome, seconds: number): void {
    this.#entitlements.observe({ outcome }, seconds);
  }

  storeFailed(): void {
    this.#storeErrors.inc();
  }
}
