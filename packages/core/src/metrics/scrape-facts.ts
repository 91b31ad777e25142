import type { DependencyName, HealthService } from '../health/health-service.js';
import { withDeadline } from '../kernel/deadline.js';
import type { Backlog, OutboxRepository } from '../mail/outbox-repository.js';

/** Facts that require a request to a dependency. */
interface ScrapeFacts {
  dependencies: { name: DependencyName; isUp: boolean }[];
  /** Undefined while the database does not answer. */
  backlog: Backlog | undefined;
  /** Undefined also while webhooks are off. */
  webhooks: WebhookFacts | undefined;
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

/** Maximum rate: dependencies are queried once in so many milliseconds, however many clients scrape. */
const FRESH_FOR_MS = 5_000;
/**
 * Timeout of the queries. A scrape is aborted after 10 s by default, and an answer with gaps is better than
 * none.
 */
const ANSWER_WITHIN_MS = 1_000;

interface ScrapeFactsReaderDeps {
  readonly health: HealthService;
  readonly outbox: OutboxRepository;
  /** Undefined while webhooks are off. */
  readonly webhooks: WebhookNumbers | undefined;
}

/** Queries the dependencies for a scrape. One that does not answer in time leaves a gap and fails nothing. */
export class ScrapeFactsReader {
  readonly #deps: ScrapeFactsReaderDeps;
  #facts: Promise<ScrapeFacts> | undefined;
  #readAt = 0;

  constructor(deps: ScrapeFactsReaderDeps) {
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
    const [dependencies, backlog, webhooks] = await Promise.all([
      this.#deps.health.dependencies(),
      this.#backlog(),
      this.#webhooks(),
    ]);
    return { dependencies, backlog, webhooks };
  }

  async #backlog(): Promise<Backlog | undefined> {
    try {
      const answer = this.#deps.outbox.backlog();
      return await withDeadline(answer, ANSWER_WITHIN_MS, 'The outbox was not counted in time.');
    } catch {
      return undefined;
    }
  }

  async #webhooks(): Promise<WebhookFacts | undefined> {
    const { webhooks } = this.#deps;
    if (!webhooks) return undefined;
    try {
      const answer = Promise.all([webhooks.backlog(), webhooks.endpoints()]);
      const [backlog, endpoints] = await withDeadline(
        answer,
        ANSWER_WITHIN_MS,
        'The webhooks were not counted in time.',
      );
      return { backlog, endpoints };
    } catch {
      return undefined;
    }
  }
}
