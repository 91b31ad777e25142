import { z } from 'zod';
import { actorOf, lockForAction, type Administrator } from '../admin/administrator.js';
import type { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import { isApiKeyText } from '../api-key-records/api-key-text.js';
import { apiKeyNotFound, type ApiKey } from '../api-key-records/api-key.js';
import { assertNotActing } from '../kernel/acting-party.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { prefixOf } from '../kernel/id-prefix.js';
import { checkPage, type PageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { digestOf } from '../kernel/secret.js';
import { checkId, uuidInput } from '../kernel/uuid-input.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { ApiKeyQueries } from './api-key-queries.js';
import {
  companyApiKeyInput,
  toApiKeyView,
  type ApiKeyView,
  type CompanyApiKeyInput,
  type NewApiKeyView,
} from './api-key-schema.js';
import type { ApiKeyTransitions } from './api-key-transitions.js';

const seconds = z.int().min(1).optional();
const apiKeyFilter = z.strictObject({
  userId: uuidInput.optional(),
  companyId: uuidInput.optional(),
  unusedSeconds: seconds,
  expiringSeconds: seconds,
});
/** Filter of API keys: of a user or company, unused or expiring for so many seconds. */
export type ApiKeyFilter = z.input<typeof apiKeyFilter>;

/** An API key with its state, for operators. */
export type IdentifiedApiKey = ApiKeyView & {
  state: 'active' | 'expired' | 'revoked';
  revokeReason?: string;
};

interface ApiKeyAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly apiKeyQueries: ApiKeyQueries;
  readonly apiKeyTransitions: ApiKeyTransitions;
}

/** Manages the API keys of all owners, for trusted actors and staff. Works while API keys are off, too. */
export class ApiKeyAdministration {
  readonly #deps: ApiKeyAdministrationDeps;

  constructor(deps: ApiKeyAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns active keys, newest first. @throws AuthError `validation_error`. */
  async list(filter: ApiKeyFilter = {}, page: PageInput = {}): Promise<Page<ApiKeyView>> {
    const wanted = checkInput(apiKeyFilter, filter, 'query');
    return mapPage(await this.#deps.apiKeyQueries.list(wanted, checkPage(page)), toApiKeyView);
  }

  /** Returns a page of the active keys of a user, newest first. @throws AuthError `not_found` for an unknown user. */
  async listOfUser(userId: string, page: PageInput = {}): Promise<Page<ApiKeyView>> {
    userId = checkId(userId);
    const slice = checkPage(page);
    if (!(await this.#deps.users.findById(userId))) throw AuthError.notFound('The user', 'user_not_found');
    return mapPage(await this.#deps.apiKeys.list({ userId }, slice), toApiKeyView);
  }

  /** Returns the keys of an id or of the prefix of one. @throws AuthError `validation_error` for fewer than 4 characters. */
  async findByPrefix(text: string, limit: number): Promise<IdentifiedApiKey[]> {
    return (await this.#deps.apiKeyQueries.findByPrefix(prefixOf(text), limit)).map(toIdentified);
  }

  /**
   * Returns whose a key is, also of one that has ended or was rotated.
   * @throws AuthError `validation_error` for a text that is no key, `not_found`.
   */
  async identify(key: string): Promise<IdentifiedApiKey> {
    if (!isApiKeyText(key)) {
      throw AuthError.validation(
        'key: is not an API key of this service, or was cut off; a key has 53 characters',
      );
    }
    const found = await this.#deps.apiKeyQueries.findByDigest(digestOf(key));
    if (!found) throw apiKeyNotFound();
    return toIdentified(found);
  }

  /** Makes a key of a company. @throws AuthError `validation_error`, `conflict`, `rate_limited`. */
  async create(
    actor: TrustedActor,
    companyId: string,
    input: CompanyApiKeyInput,
    client: ClientInfo = unknownClient,
  ): Promise<NewApiKeyView> {
    companyId = checkId(companyId, 'companyId');
    const { expiresIn, ...facts } = checkInput(companyApiKeyInput, input);
    const { database, apiKeys, apiKeyTransitions } = this.#deps;
    return database.transaction(async (trx) => {
      await apiKeys.lockCompany(companyId, trx);
      const owner = {
        kind: 'COMPANY',
        companyId,
        userId: null,
        createdAcr: null,
        creator: undefined,
      } as const;
      return apiKeyTransitions.create({ ...facts, ...owner, expiresIn }, { actor, client }, trx);
    });
  }

  /** Revokes a key of any owner. @throws AuthError `not_found`. */
  async revoke(actor: TrustedActor, id: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    id = checkId(id);
    const [key] = await this.#deps.apiKeyQueries.findByPrefix(id, 1);
    if (!key) throw apiKeyNotFound();
    const { userId } = key;
    const owner = userId === null ? { companyId: key.companyId ?? '' } : { userId };
    await this.#deps.database.transaction(async (trx) => {
      if (userId !== null) await this.#deps.users.lock([userId], trx);
      await this.#deps.apiKeyTransitions.revoke({ id, owner }, { actor, client }, trx);
    });
    return { status: 'ok' };
  }

  /**
   * Revokes a key of a user. The rights are those of revoking the sessions of the user.
   * @throws AuthError `not_found`, `forbidden`.
   */
  async revokeOfUser(
    administrator: Administrator,
    userId: string,
    id: string,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    userId = checkId(userId);
    id = checkId(id, 'keyId');
    if (administrator.kind === 'user') assertNotActing(administrator);
    await this.#deps.database.transaction(async (trx) => {
      const action = { administrator, action: 'revoke-sessions', userId } as const;
      await lockForAction(this.#deps.users, action, trx);
      const by = { actor: actorOf(administrator), client };
      await this.#deps.apiKeyTransitions.revoke({ id, owner: { userId } }, by, trx);
    });
    return { status: 'ok' };
  }
}

const toIdentified = (key: ApiKey): IdentifiedApiKey => ({
  ...toApiKeyView(key),
  state: stateOf(key),
  ...(key.revokeReason !== null && { revokeReason: key.revokeReason }),
});

function stateOf({ revokedAt, expiresAt }: ApiKey): IdentifiedApiKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? 'expired' : 'active';
}
