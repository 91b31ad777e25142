import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Logger } from '../kernel/logger.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { InternalKey } from './internal-key.js';

interface InternalKeyDenialDeps {
  readonly internalKey: InternalKey;
  readonly audit: AuditRepository;
  readonly anonymousWrites: AddressRateLimiter;
  readonly refusals: RefusalSampler;
  readonly logger: Logger;
}

/** Rejects requests with a wrong internal key. Only wrong keys are counted: a right one never waits. */
export class InternalKeyDenial {
  readonly #deps: InternalKeyDenialDeps;

  constructor(deps: InternalKeyDenialDeps) {
    this.#deps = deps;
  }

  /**
   * Counts a wrong key; the first one of an address in a minute leaves an audit row.
   * @throws AuthError always: `forbidden`, or `rate_limited` after too many in a minute; `service_unavailable` when Redis
   * is unavailable and the fail mode is `closed`.
   */
  async deny(client: ClientInfo): Promise<never> {
    await this.#record(client);
    if (this.#deps.internalKey.isSet) await this.#deps.anonymousWrites.consume(client.ipAddress);
    throw AuthError.forbidden('A valid X-Internal-API-Key is needed.', 'internal_key_invalid');
  }

  /** The request is rejected even if writing the audit row fails. */
  async #record(client: ClientInfo): Promise<void> {
    try {
      const sampled = await this.#deps.refusals.sample(`internal-key:${ipBucket(client.ipAddress)}`);
      if (!sampled) return;
      await this.#deps.audit.insert({
        event: 'internal_key_rejected',
        outcome: 'denied',
        actor: { kind: 'anonymous' },
        client,
        details: { ...sampled },
      });
    } catch (error) {
      this.#deps.logger.warn(
        { err: error, requestId: client.requestId },
        'A rejected internal key could not be written to the audit log.',
      );
    }
  }
}
