import type { AccessService } from '../access/access-service.js';
import type { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import type { ApiKeyRevoker } from '../api-key-records/api-key-revoker.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkPage, type PageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  apiKeyInput,
  apiKeyPatchInput,
  rotateApiKeyInput,
  toApiKeyView,
  type ApiKeyInput,
  type ApiKeyView,
  type NewApiKeyView,
  type RevokedApiKeys,
  type RotateApiKey,
} from './api-key-schema.js';
import type { ApiKeyTransitions, ChangedBy } from './api-key-transitions.js';

interface PersonalApiKeysDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly apiKeyRevoker: ApiKeyRevoker;
  readonly apiKeyTransitions: ApiKeyTransitions;
  readonly credentialStepUp: CredentialStepUp;
  readonly access: Pick<AccessService, 'assertLevel'>;
}

/**
 * Manages the API keys of the caller. Making, renaming and rotating requires a sign-in or step-up of the last 15 minutes, with a second
 * factor if the user has one; revoking does not. Keys of other users are reported as `not_found`.
 */
export class PersonalApiKeys {
  readonly #deps: PersonalApiKeysDeps;

  constructor(deps: PersonalApiKeysDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a key of the caller, for one company or for none, and notifies them by mail.
   * @throws AuthError `validation_error`, `reauthentication_required`, `session_revoked`, `conflict` for a user with 50 keys,
   * `rate_limited` for more than 20 an hour, `forbidden` without an active membership of the company and while an actor acts for
   * the user, `second_factor_required` for a company that requires one.
   */
  async create(
    caller: SignedInUser,
    input: ApiKeyInput,
    client: ClientInfo = unknownClient,
  ): Promise<NewApiKeyView> {
    const {
      name,
      companyId = null,
      modules = null,
      permissions = null,
      expiresIn,
    } = checkInput(apiKeyInput, input);
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    if (companyId !== null) await this.#deps.access.assertLevel(caller, companyId);
    return this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([caller.userId], trx);
      if (companyId !== null) await this.#assertMember(caller.userId, companyId, trx);
      const creator = await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
      const { userId, acr: createdAcr } = caller;
      return this.#deps.apiKeyTransitions.create(
        { kind: 'PERSONAL', companyId, userId, createdAcr, name, modules, permissions, expiresIn, creator },
        changedBy(caller, client),
        trx,
      );
    });
  }

  /** Returns a page of the caller's active keys, newest first. */
  async list(caller: SignedInUser, page: PageInput = {}): Promise<Page<ApiKeyView>> {
    return mapPage(await this.#deps.apiKeys.list(ownKeys(caller), checkPage(page)), toApiKeyView);
  }

  /** Renames a key of the caller. @throws AuthError `validation_error`, `not_found`, and as `rotate`. */
  async rename(
    caller: SignedInUser,
    id: string,
    name: string,
    client: ClientInfo = unknownClient,
  ): Promise<ApiKeyView> {
    id = checkId(id);
    name = checkInput(apiKeyPatchInput, { name }).name;
    const renamed = await this.#afterStepUp(caller, (trx) =>
      this.#deps.apiKeyTransitions.rename(
        { id, owner: ownKeys(caller) },
        name,
        changedBy(caller, client),
        trx,
      ),
    );
    return toApiKeyView(renamed);
  }

  /**
   * Replaces the text of a key of the caller; the former one stops working at once, or after the overlap.
   * @throws AuthError `validation_error`, `not_found`, `reauthentication_required`, `session_revoked`, `forbidden` while an actor
   * acts for the user.
   */
  async rotate(
    caller: SignedInUser,
    id: string,
    input: RotateApiKey = {},
    client: ClientInfo = unknownClient,
  ): Promise<NewApiKeyView> {
    id = checkId(id);
    const { overlap } = checkInput(rotateApiKeyInput, input);
    return this.#afterStepUp(caller, (trx) =>
      this.#deps.apiKeyTransitions.rotate(
        { id, owner: ownKeys(caller) },
        overlap,
        changedBy(caller, client),
        trx,
      ),
    );
  }

  /** Revokes a key of the caller. @throws AuthError `not_found`, `forbidden` while an actor acts for the user. */
  async revoke(caller: SignedInUser, id: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    id = checkId(id);
    assertNotActing(caller);
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([caller.userId], trx);
      await this.#deps.apiKeyTransitions.revoke(
        { id, owner: ownKeys(caller) },
        changedBy(caller, client),
        trx,
      );
    });
    return { status: 'ok' };
  }

  /** Revokes all keys of the caller. @throws AuthError `forbidden` while an actor acts for the user. */
  async revokeAll(caller: SignedInUser, client: ClientInfo = unknownClient): Promise<RevokedApiKeys> {
    assertNotActing(caller);
    const { userId } = caller;
    const revoked = await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([userId], trx);
      const { actor } = changedBy(caller, client);
      return this.#deps.apiKeyRevoker.revokeAllWithin({ userId, reason: 'revoke_all', actor, client }, trx);
    });
    return { revoked };
  }

  async #afterStepUp<T>(caller: SignedInUser, change: (trx: Transaction) => Promise<T>): Promise<T> {
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    return this.#deps.database.transaction(async (trx) => {
      await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
      return change(trx);
    });
  }

  /** The membership stays locked: it cannot end while its key is made. */
  async #assertMember(userId: string, companyId: string, trx: Transaction): Promise<void> {
    const membership = (await this.#deps.membershipWrites.lock(companyId, [userId], trx)).get(userId);
    if (membership?.isActive) return;
    throw AuthError.forbidden('There is no active membership of this company.', 'not_a_member');
  }
}

const ownKeys = ({ userId }: SignedInUser) => ({ userId });

const changedBy = ({ userId, sessionId, acr }: SignedInUser, client: ClientInfo): ChangedBy => ({
  actor: { kind: 'user', userId },
  client,
  sessionId,
  acr,
});
