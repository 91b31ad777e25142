import { LRUCache } from 'lru-cache';
import type { Entitlements, EntitlementSource } from './entitlements.js';

const MAX_COMPANIES = 10_000;

/**
 * Shares one call among overlapping look-ups of one company, and keeps answers if configured. Failures are never kept.
 */
export class SharedEntitlements implements EntitlementSource {
  readonly #source: EntitlementSource;
  readonly #underWay = new Map<string, Promise<Entitlements>>();
  readonly #kept: LRUCache<string, Entitlements> | undefined;

  /** @param options `cacheTtl`: seconds an answer is reused; 0 disables the cache. */
  constructor(source: EntitlementSource, { cacheTtl }: { cacheTtl: number }) {
    this.#source = source;
    this.#kept = cacheTtl > 0 ? new LRUCache({ max: MAX_COMPANIES, ttl: cacheTtl * 1000 }) : undefined;
  }

  async fetch(companyId: string): Promise<Entitlements> {
    const kept = this.#kept?.get(companyId);
    if (kept) return kept;
    const joined = this.#underWay.get(companyId);
    if (joined) return joined;
    const call = this.#ask(companyId);
    this.#underWay.set(companyId, call);
    return call;
  }

  async #ask(companyId: string): Promise<Entitlements> {
    try {
      const entitlements = await this.#source.fetch(companyId);
      this.#kept?.set(companyId, entitlements);
      return entitlements;
    } finally {
      this.#underWay.delete(companyId);
    }
  }
}
