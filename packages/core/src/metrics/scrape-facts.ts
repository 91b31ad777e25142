import type { DependencyName, HealthService } from '../health/health-service.js';
import { withDeadline } from '../kernel/deadline.js';
import type { Backlog, OutboxRepository } from '../mail/outbox-repository.js';

/** What can only be known by asking others. */
export interface ScrapeFacts {
  dependencies: { name: DependencyName; isUp: boolean }[];
  /** Undefined while the database does not answer. */
  backlog: Backlog | undefined;
}

/** However many scrape, and however often, dependencies are asked once in so many milliseconds. */
const FRESH_FOR_MILLISECONDS = 5_000;
/** A scrape is given up after 10 s by default; an answer with gaps is worth more than none. */
const ANSWER_WITHIN_MILLISECONDS = 1_000;

interface ScrapeFactsReaderDeps {
  readonly health: HealthService;
  readonly outbox: OutboxRepository;
}

/** Asks the dependencies for a scrape. What does not answer in time leaves a gap and fails nothing. */
export class ScrapeFactsReader {
  readonly #deps: ScrapeFactsReaderDeps;
  #facts: Promise<ScrapeFacts> | undefined;
  #readAt = 0;

  constructor(deps: ScrapeFactsReaderDeps) {
    this.#deps = deps;
  }

  read(): Promise<ScrapeFacts> {
    const isFresh = performance.now() - this.#readAt < FRESH_FOR_MILLISECONDS;
    if (this.#facts && isFresh) return this.#facts;
    this.#readAt = performance.now();
    this.#facts = this.#ask();
    return this.#facts;
  }

  async #ask(): Promise<ScrapeFacts> {
    const [dependencies, backlog] = await Promise.all([this.#deps.health.dependencies(), this.#backlog()]);
    return { dependencies, backlog };
  }

  async #backlog(): Promise<Backlog | undefined> {
    try {
      const answer = this.#deps.outbox.backlog();
      return await withDeadline(answer, ANSWER_WITHIN_MILLISECONDS, 'The outbox was not counted in time.');
    } catch {
      return undefined;
    }
  }
}
