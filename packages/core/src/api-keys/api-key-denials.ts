import type { AuditRepository } from '../audit/audit-repository.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';

/** Counts unknown and malformed API keys by address. */
export class ApiKeyDenials {
  readonly #deps;

  constructor(deps: {
    readonly audit: AuditRepository;
    readonly refusals: RefusalSampler;
    readonly anonymousWrites: AddressRateLimiter;
  }) {
    this.#deps = deps;
  }

  /**
   * Counts a wrong key. The first one of an address per minute is written to the audit log.
   * @throws AuthError `rate_limited` after too many from one address.
   */
  async count(client: ClientInfo): Promise<void> {
    const { audit, refusals, anonymousWrites } = this.#deps;
    const sampled = await refusals.sample(`api-key:${ipBucket(client.ipAddress)}`);
    if (sampled) {
      const details = { ...sampled };
      const actor = { kind: 'anonymous' } as const;
      await audit.insert({ event: 'api_key_denied', outcome: 'denied', actor, client, details });
    }
    await anonymousWrites.consume(client.ipAddress);
  }
}
