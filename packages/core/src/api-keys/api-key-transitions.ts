import type { ApiKeyOwner, ApiKeyRepository, NewApiKey } from '../api-key-records/api-key-repository.js';
import { hintOf, newApiKeyText } from '../api-key-records/api-key-text.js';
import { apiKeyNotFound, API_KEYS_PER_HOUR, type ApiKey } from '../api-key-records/api-key.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { durationText } from '../kernel/duration.js';
import { digestOf } from '../kernel/secret.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { User } from '../users/user.js';
import { toApiKeyView, type NewApiKeyView } from './api-key-schema.js';

/** The actor, client and session of a change. */
export interface ChangedBy {
  actor: Actor;
  client: ClientInfo;
  sessionId?: string;
  /** The level of the session; undefined without one. */
  acr?: AuthenticationLevel;
}

/** A key, as one of this owner. */
interface KeyOfOwner {
  id: string;
  owner: ApiKeyOwner;
}

/** A key that was asked for. */
interface WantedKey extends Omit<NewApiKey, 'digest' | 'hint' | 'lifetime' | 'createdByUserId'> {
  /** Seconds; null for a key that does not expire, undefined for the default. */
  expiresIn: number | null | undefined;
  /** The user who makes it; undefined for a machine or an operator. */
  creator: Pick<User, 'id' | 'email' | 'fullName'> | undefined;
}

/** Makes and changes API keys, with audit row and mail, as part of a transaction. The caller has checked the permission. */
export class ApiKeyTransitions {
  readonly #deps;

  constructor(deps: {
    readonly apiKeys: ApiKeyRepository;
    readonly audit: AuditRepository;
    readonly notices: SecurityNotices;
    readonly apiKeyLifetimes: { readonly defaultLifetime: number; readonly maxLifetime: number | undefined };
  }) {
    this.#deps = deps;
  }

  /**
   * Makes a key. The transaction holds the row of the owner, or `lockCompany`.
   * @throws AuthError `validation_error` for a lifetime that is too long, `conflict` for an owner with too many keys, `rate_limited`.
   */
  async create(wanted: WantedKey, by: ChangedBy, trx: Transaction): Promise<NewApiKeyView> {
    const { creator, expiresIn, ...facts } = wanted;
    const { notices, apiKeys } = this.#deps;
    const lifetime = this.#lifetimeOf(expiresIn);
    assertNoLimit(await apiKeys.limitOf(ownerOf(wanted), creator?.id, trx));
    const key = newApiKeyText();
    const text = { digest: digestOf(key), hint: hintOf(key) };
    const made = await apiKeys.insert(
      { ...facts, ...text, lifetime, createdByUserId: creator?.id ?? null },
      trx,
    );
    await this.#record('api_key_created', made, by, trx);
    if (creator) {
      const payload = { fullName: creator.fullName, keyName: made.name, kind: made.kind };
      await notices.enqueue(trx, { kind: 'api_key_created', recipient: creator.email, payload });
    }
    return { apiKey: toApiKeyView(made), key };
  }

  /** Renames a key. @throws AuthError `not_found`. */
  async rename({ id, owner }: KeyOfOwner, name: string, by: ChangedBy, trx: Transaction): Promise<ApiKey> {
    const renamed = existing(await this.#deps.apiKeys.rename(id, owner, name, trx));
    await this.#record('api_key_renamed', renamed, by, trx);
    return renamed;
  }

  /** Replaces the text of a key. @param overlap seconds for which the former one is accepted. @throws AuthError `not_found`. */
  async rotate(
    { id, owner }: KeyOfOwner,
    overlap: number,
    by: ChangedBy,
    trx: Transaction,
  ): Promise<NewApiKeyView> {
    const key = newApiKeyText();
    const text = { digest: digestOf(key), hint: hintOf(key), overlap, acr: by.acr };
    const rotated = existing(await this.#deps.apiKeys.rotate(id, owner, text, trx));
    await this.#record('api_key_rotated', rotated, { ...by, details: { overlap } }, trx);
    return { apiKey: toApiKeyView(rotated), key };
  }

  /** Revokes a key. @throws AuthError `not_found`. */
  async revoke({ id, owner }: KeyOfOwner, by: ChangedBy, trx: Transaction): Promise<void> {
    const revoked = existing(await this.#deps.apiKeys.revoke(id, owner, 'revoked', trx));
    await this.#record('api_key_revoked', revoked, { ...by, details: { reason: 'revoked' } }, trx);
  }

  #lifetimeOf(expiresIn: number | null | undefined): number | null {
    const { defaultLifetime, maxLifetime } = this.#deps.apiKeyLifetimes;
    if (expiresIn === undefined) return defaultLifetime;
    if (maxLifetime === undefined || (expiresIn !== null && expiresIn <= maxLifetime)) return expiresIn;
    const fault = `must be at most ${maxLifetime} (${durationText(maxLifetime)}), the maximum of this service`;
    throw AuthError.validation(`expiresIn: ${fault}`, {
      fields: [{ pointer: '/expiresIn', reason: 'too_big', message: fault }],
    });
  }

  async #record(
    event: AuditEventName,
    { id: apiKeyId, userId, companyId }: ApiKey,
    { actor, client, sessionId, details }: ChangedBy & { details?: Record<string, unknown> },
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.audit.insert(
      {
        event,
        outcome: 'success',
        actor,
        subjectUserId: userId ?? undefined,
        companyId: companyId ?? undefined,
        sessionId,
        client,
        details: { apiKeyId, ...details },
      },
      trx,
    );
  }
}

/** Returns the owner of a key. */
const ownerOf = ({ userId, companyId }: Pick<ApiKey, 'userId' | 'companyId'>): ApiKeyOwner =>
  userId === null ? { companyId: companyId ?? '' } : { userId };

function existing(key: ApiKey | undefined): ApiKey {
  if (!key) throw apiKeyNotFound();
  return key;
}

function assertNoLimit(limit: 'keys' | 'creations' | undefined): void {
  if (limit === 'keys') {
    throw AuthError.conflict(
      'There are too many API keys. Revoke one that is not used.',
      'api_key_limit_reached',
    );
  }
  if (limit === 'creations') {
    throw new AuthError('rate_limited', `At most ${API_KEYS_PER_HOUR} API keys can be made in an hour.`, {
      reason: 'api_key_creations_limited',
      retryAfterSeconds: 3600,
    });
  }
}
