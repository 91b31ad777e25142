import { LRUCache } from 'lru-cache';
import type { Logger } from '../kernel/logger.js';
import type { KnownCompanyRepository } from './known-company-repository.js';

const MAX_COMPANIES = 10_000;

/**
 * Keeps the names of companies that pass by, in the background: one at a time, so that requests keep their connections, and each
 * once until it changes.
 */
export class CompanyNameLearner {
  readonly #deps: { readonly knownCompanies: KnownCompanyRepository; readonly logger: Logger };
  readonly #learned = new LRUCache<string, string>({ max: MAX_COMPANIES });
  readonly #waiting = new Map<string, string>();
  #isWorking = false;

  constructor(deps: { readonly knownCompanies: KnownCompanyRepository; readonly logger: Logger }) {
    this.#deps = deps;
  }

  /** Returns the source with the names in its answers kept. Nothing waits for that. */
  learningFrom<Answer extends { name?: string | undefined }>(source: {
    fetch: (companyId: string) => Promise<Answer>;
  }): { fetch: (companyId: string) => Promise<Answer> } {
    return {
      fetch: async (companyId) => {
        const answer = await source.fetch(companyId);
        if (answer.name !== undefined) this.#learn(companyId, answer.name);
        return answer;
      },
    };
  }

  /** Keeps a name soon. One that cannot be written is kept when it passes by again. */
  #learn(companyId: string, name: string): void {
    if (this.#learned.get(companyId) === name || this.#waiting.size >= MAX_COMPANIES) return;
    this.#learned.set(companyId, name);
    this.#waiting.set(companyId, name);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (const [companyId, name] of this.#waiting) {
      this.#waiting.delete(companyId);
      await this.#write(companyId, name);
    }
    this.#isWorking = false;
  }

  async #write(companyId: string, name: string): Promise<void> {
    try {
      await this.#deps.knownCompanies.learnFromEntitlements(companyId, name);
    } catch (error) {
      this.#learned.delete(companyId);
      this.#deps.logger.warn({ err: error, companyId }, 'The name of a company could not be kept.');
    }
  }
}
