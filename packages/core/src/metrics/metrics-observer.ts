import type { Counter, Histogram, Registry } from 'prom-client';
import type {
  BreachLookupOutcome,
  EmailChangeStep,
  EmailVerificationStep,
  HashingOperation,
  Limit,
  LimitDecision,
  Observer,
  PasswordResetStep,
  RefreshOutcome,
  SecondFactorKind,
  SignInMethod,
  SignInOutcome,
  StepUpMethod,
  WebhookOutcome,
} from '../kernel/observer.js';
import type { UseCaseOutcome } from '../kernel/use-case-outcome.js';
import { makeCounter, makeHistogram } from './instruments.js';
import { serviceDefinitions as definitions } from './service-definitions.js';

/** Counts the decisions that the service reports. */
export class MetricsObserver implements Observer {
  readonly #signIns: Counter<'method' | 'outcome'>;
  readonly #secondFactors: Counter<'factor' | 'outcome'>;
  readonly #refreshes: Counter<'outcome'>;
  readonly #stepUps: Counter<'method' | 'outcome'>;
  readonly #registrations: Counter<'outcome'>;
  readonly #passwordResets: Counter<'step' | 'outcome'>;
  readonly #emailVerifications: Counter<'step' | 'outcome'>;
  readonly #emailChanges: Counter<'step' | 'outcome'>;
  readonly #serviceTokens: Counter<'outcome'>;
  readonly #hashing: Histogram<'operation'>;
  readonly #hashingRefused: Counter;
  readonly #breachLookups: Counter<'outcome'>;
  readonly #limits: Counter<'limit' | 'decision'>;
  readonly #entitlements: Histogram<'outcome'>;
  readonly #webhookAttempts: Counter<'outcome'>;
  readonly #storeErrors: Counter;

  constructor(registry: Registry) {
    this.#signIns = makeCounter(registry, definitions.signIns);
    this.#secondFactors = makeCounter(registry, definitions.secondFactors);
    this.#refreshes = makeCounter(registry, definitions.refreshes);
    this.#stepUps = makeCounter(registry, definitions.stepUps);
    this.#registrations = makeCounter(registry, definitions.registrations);
    this.#passwordResets = makeCounter(registry, definitions.passwordResets);
    this.#emailVerifications = makeCounter(registry, definitions.emailVerifications);
    this.#emailChanges = makeCounter(registry, definitions.emailChanges);
    this.#serviceTokens = makeCounter(registry, definitions.serviceTokens);
    this.#hashing = makeHistogram(registry, definitions.hashingDuration);
    this.#hashingRefused = makeCounter(registry, definitions.hashingRefused);
    this.#breachLookups = makeCounter(registry, definitions.breachLookups);
    this.#limits = makeCounter(registry, definitions.limits);
    this.#entitlements = makeHistogram(registry, definitions.entitlements);
    this.#webhookAttempts = makeCounter(registry, definitions.webhookAttempts);
    this.#storeErrors = makeCounter(registry, definitions.storeErrors);
  }

  signIn(method: SignInMethod, outcome: SignInOutcome): void {
    this.#signIns.inc({ method, outcome });
  }

  secondFactor(factor: SecondFactorKind, outcome: UseCaseOutcome): void {
    this.#secondFactors.inc({ factor, outcome });
  }

  refresh(outcome: RefreshOutcome): void {
    this.#refreshes.inc({ outcome });
  }

  stepUp(method: StepUpMethod, outcome: UseCaseOutcome): void {
    this.#stepUps.inc({ method, outcome });
  }

  registration(outcome: UseCaseOutcome): void {
    this.#registrations.inc({ outcome });
  }

  passwordReset(step: PasswordResetStep, outcome: UseCaseOutcome): void {
    this.#passwordResets.inc({ step, outcome });
  }

  emailVerification(step: EmailVerificationStep, outcome: UseCaseOutcome): void {
    this.#emailVerifications.inc({ step, outcome });
  }

  emailChange(step: EmailChangeStep, outcome: UseCaseOutcome): void {
    this.#emailChanges.inc({ step, outcome });
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

  breachLookup(outcome: BreachLookupOutcome): void {
    this.#breachLookups.inc({ outcome });
  }

  limit(limit: Limit, decision: LimitDecision): void {
    this.#limits.inc({ limit, decision });
  }

  entitlements(outcome: UseCaseOutcome, seconds: number): void {
    this.#entitlements.observe({ outcome }, seconds);
  }

  webhookAttempt(outcome: WebhookOutcome): void {
    this.#webhookAttempts.inc({ outcome });
  }

  storeFailed(): void {
    this.#storeErrors.inc();
  }
}
