import type { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import type { Logger } from '../kernel/logger.js';

/** Milliseconds for which uses are collected before they are written. */
const FLUSH_MS = 2_000;
const BATCH = 1_000;

/** Records when and from where API keys were last used: in batches, outside of requests, at most once a minute for each key. */
export class ApiKeyUses {
  readonly #deps;
  readonly #due = new Map<string, string | null>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: { readonly apiKeys: Pick<ApiKeyRepository, 'touch'>; readonly logger: Logger }) {
    this.#deps = deps;
  }

  record(id: string, ipAddress: string | null): void {
    this.#due.set(id, ipAddress);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // In one order, so that two replicas do not wait for each other in turn.
    const due = [...this.#due].map(([id, ipAddress]) => ({ id, ipAddress })).toSorted(byId);
    this.#due.clear();
    try {
      for (let start = 0; start < due.length; start += BATCH) {
        await this.#deps.apiKeys.touch(due.slice(start, start + BATCH));
      }
    } catch (error) {
      this.#deps.logger.debug(
        { err: error, keys: due.length },
        'The last use of API keys was not recorded; their next use records it.',
      );
    }
  }
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
