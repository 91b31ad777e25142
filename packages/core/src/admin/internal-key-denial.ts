import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Logger } from '../kernel/logger.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { InternalKey } from './internal-key.js';

/** Rejects requests with a wrong internal key. Only wrong keys are counted: a right one never waits. */
export class InternalKeyDenial {
  readonly #key: InternalKey;
  readonly #audit: AuditRepository;
  readonly #limiter: AddressRateLimiter;
  readonly #refusals: RefusalSampler;
  readonly #logger: Logger;

  constructor(parts: {
    internalKey: InternalKey;
    audit: AuditRepository;
    anonymousWrites: AddressRateLimiter;
    refusals: RefusalSampler;
    logger: Logger;
  }) {
    this.#key = parts.internalKey;
    this.#audit = parts.audit;
    this.#limiter = parts.anonymousWrites;
    this.#refusals = parts.refusals;
    this.#logger = parts.logger;
  }

  /**
   * Counts a wrong key; the first one of an address in a minute leaves an audit row.
   * @throws AuthError always: `forbidden`, or `rate_limited` after too many in a minute; `service_unavailable` when Redis
   * is unavailable and the fail mode is `closed`.
   */
  async deny(client: ClientInfo): Promise<never> {
    await this.#record(client);
    if (this.#key.isSet) await this.#limiter.consume(client.ipAddress);
    throw AuthError.forbidden('A valid X-Internal-API-Key is needed.', 'internal_key_invalid');
  }

  /** The request is rejected even if writing the audit row fails. */
  async #record(client: ClientInfo): Promise<void> {
    try {
      const sampled = await this.#refusals.sample(`internal-key:${ipBucket(client.ipAddress)}`);
      if (!sampled) return;
      await this.#audit.insert({
        event: 'internal_key_rejected',
        outcome: 'denied',
        actor: { kind: 'anonymous' },
        client,
        details: { ...sampled },
      });
    } catch (error) {
      this.#logger.warn(
        { err: error, requestId: client.requestId },
        'a rejected internal key was not audited',
      );
    }
  }
}
