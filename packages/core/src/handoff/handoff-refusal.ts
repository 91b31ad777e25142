import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { ActingGrant, HandoffGrant } from './handoff-codes.js';

/** Refuses codes that create no session. */
export class HandoffRefusal {
  readonly #deps;

  constructor(deps: {
    readonly anonymousWrites: AddressRateLimiter;
    readonly refusals: RefusalSampler;
    readonly audit: AuditRepository;
  }) {
    this.#deps = deps;
  }

  /**
   * Records that a code was refused. An unknown one counts for its address.
   * @param grant that of a genuine code.
   * @throws AuthError `unauthorized`, or `rate_limited` for too many unknown codes of one address.
   */
  async refuse(
    event: 'handoff_exchanged' | 'session_minted',
    grant: HandoffGrant | ActingGrant | undefined,
    client: ClientInfo,
  ): Promise<never> {
    // A genuine code is spent, so it leaves one row each time; invented ones share a row a minute.
    const sampled = grant ? {} : await this.#deps.refusals.sample(`handoff:${ipBucket(client.ipAddress)}`);
    if (sampled) {
      await this.#deps.audit.insert({
        event,
        outcome: 'failure',
        actor: { kind: 'anonymous' },
        subjectUserId: grant?.userId,
        companyId: grant?.companyId ?? undefined,
        client,
        details: { ...sampled },
      });
    }
    if (!grant) await this.#deps.anonymousWrites.consume(client.ipAddress);
    throw AuthError.unauthorized('The hand-off code is invalid, used or expired.', 'handoff_code_invalid');
  }
}
