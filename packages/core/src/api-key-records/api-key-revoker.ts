import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';
import type { ApiKeyRepository } from './api-key-repository.js';
import type { ApiKeyRevokeReason } from './api-key.js';

/** The keys that end, and why. */
interface KeysToRevoke {
  userId: string;
  /** Only the keys for this company. */
  companyId?: string;
  reason: ApiKeyRevokeReason;
  actor: Actor;
  client: ClientInfo;
}

/** Revokes the personal API keys of a user in the transaction of what causes it. */
export class ApiKeyRevoker {
  readonly #deps;

  constructor(deps: { readonly apiKeys: ApiKeyRepository; readonly audit: AuditRepository }) {
    this.#deps = deps;
  }

  /**
   * Revokes the keys, with an audit row each. The transaction holds the row of the user, and locks sessions only afterwards.
   * @returns the number of keys.
   */
  async revokeAllWithin(target: KeysToRevoke, trx: Transaction): Promise<number> {
    const { userId, reason, actor, client } = target;
    const revoked = await this.#deps.apiKeys.revokeAllOf(target, reason, trx);
    const rows = revoked.map(({ id: apiKeyId, companyId }) => ({
      event: 'api_key_revoked' as const,
      outcome: 'success' as const,
      actor,
      subjectUserId: userId,
      companyId: companyId ?? undefined,
      client,
      details: { apiKeyId, reason },
    }));
    if (rows.length > 0) await this.#deps.audit.insertAll(rows, trx);
    return revoked.length;
  }
}
