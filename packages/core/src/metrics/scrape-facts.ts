import type { DependencyName, HealthService } from '../health/health-service.js';
import { withDeadline } from '../kernel/deadline.js';
import type { Backlog, OutboxRepository } from '../mail/outbox-repository.js';
import type { DeletionCounts } from '../users/user-repository.js';

/** Facts that require a request to a dependency. */
interface ScrapeFacts {
  dependencies: { name: DependencyName; isUp: boolean }[];
  /** Undefined while the database does not answer. */
  backlog: Backlog | undefined;
  /** Undefined also while webhooks are off. */
  webhooks: WebhookFacts | undefined;
  /** Undefined also while users cannot delete their accounts. */
  deletions: DeletionCounts | undefined;
}

/** Numbers of deliveries and endpoints of webhooks. */
interface WebhookFacts {
  backlog: Backlog;
  endpoints: { active: number; disabled: number; failing: number };
}

/** The counters of webhooks. */
export interface WebhookNumbers {
  backlog(): Promise<WebhookFacts['backlog']>;
  endpoints(): Promise<WebhookFacts['endpoints']>;
}

/** The counter of accounts that wait for their erasure. */
export interface DeletionNumbers {
  countDeletions(): Promise<DeletionCounts>;
}

/** Maximum rate: dependencies are queried once in so many milliseconds, however many clients scrape. */
const FRESH_FOR_MS = 5_000;
/**
 * Timeout of the queries. A scrape is aborted after 10 s by default, and an answer with gaps is better than
 * none.
 */
const ANSWER_WITHIN_MS = 1_000;

/** Queries the dependencies for a scrape. One that does not answer in time leaves a gap and fails nothing. */
export class ScrapeFactsReader {
  readonly #deps;
  #facts: Promise<ScrapeFacts> | undefined;
  #readAt = 0;

  constructor(deps: {
    readonly health: HealthService;
    readonly outbox: OutboxRepository;
    /** Undefined while webhooks are off. */
    readonly webhooks: WebhookNumbers | undefined;
    /** Undefined while users cannot delete their accounts. */
    readonly deletions: DeletionNumbers | undefined;
  }) {
    this.#deps = deps;
  }

  read(): Promise<ScrapeFacts> {
    const isFresh = performance.now() - this.#readAt < FRESH_FOR_MS;
    if (this.#facts && isFresh) return this.#facts;
    this.#readAt = performance.now();
    this.#facts = this.#ask();
    return this.#facts;
  }

  async #ask(): Promise<ScrapeFacts> {
    const { health, outbox, webhooks, deletions } = this.#deps;
    const [dependencies, backlog, ofWebhooks, ofDeletions] = await Promise.all([
      health.dependencies(),
      unlessLate(outbox.backlog(), 'The outbox was not counted in time.'),
      webhooks && unlessLate(factsOf(webhooks), 'The webhooks were not counted in time.'),
      deletions && unlessLate(deletions.countDeletions(), 'The deletions were not counted in time.'),
    ]);
    return { dependencies, backlog, webhooks: ofWebhooks, deletions: ofDeletions };
  }
}

async function factsOf(webhooks: WebhookNumbers): Promise<WebhookFacts> {
  const [backlog, endpoints] = await Promise.all([webhooks.backlog(), webhooks.endpoints()]);
  return { backlog, endpoints };
}

/** Returns undefined in place of an answer that fails or is late. */
const unlessLate = <T>(answer: Promise<T>, message: string): Promise<T | undefined> =>
  withDeadline(answer, ANSWER_WITHIN_MS, message).catch(() => undefined);
