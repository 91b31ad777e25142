import type { AccessService } from '../access/access-service.js';
import type { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import { apiKeyNotFound } from '../api-key-records/api-key.js';
import { assertMayInvite, assertMayOffer, mayInvite, type Inviter } from '../invitations/invitation.js';
import type { InviterRepository } from '../invitations/inviter-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import type { TrustedActor } from '../kernel/actor.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkPage, type PageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import { heldDelegation } from '../memberships/held-grants.js';
import { DEFAULT_ROLE } from '../memberships/membership-write.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInMember } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import {
  apiKeyPatchInput,
  companyApiKeyIds,
  companyApiKeyInput,
  rotateApiKeyInput,
  toApiKeyView,
  type ApiKeyView,
  type CompanyApiKeyInput,
  type NewApiKeyView,
  type RotateApiKey,
} from './api-key-schema.js';
import type { ApiKeyTransitions, ChangedBy } from './api-key-transitions.js';

/** The manager of a company's keys: a member who may invite, platform staff, or a trusted actor. */
export type CompanyKeyManager = SignedInMember | TrustedActor;

/** The company and the id of one of its keys. */
interface CompanyKeyIds {
  companyId: string;
  id: string;
}

/** The lists of a key. */
interface KeyLists {
  modules: string[] | null;
  permissions: string[] | null;
}

interface CompanyApiKeysDeps {
  readonly database: Database;
  readonly apiKeys: ApiKeyRepository;
  readonly apiKeyTransitions: ApiKeyTransitions;
  readonly inviters: InviterRepository;
  readonly credentialStepUp: CredentialStepUp;
  readonly access: Pick<AccessService, 'assertLevel'>;
}

/**
 * Manages the API keys of companies. A key belongs to its company and outlives its creator, so a user may only put into it, or take
 * over by a rotation, what they may offer in an invitation. Users need a sign-in or step-up of the last 15 minutes, with a second
 * factor if they have one, for all but lists and revocations.
 */
export class CompanyApiKeys {
  readonly #deps: CompanyApiKeysDeps;

  constructor(deps: CompanyApiKeysDeps) {
    this.#deps = deps;
  }

  /** Returns a page of the active keys of a company, newest first. @throws AuthError `forbidden`, `second_factor_required`. */
  async list(manager: CompanyKeyManager, companyId: string, page: PageInput = {}): Promise<Page<ApiKeyView>> {
    companyId = checkId(companyId, 'companyId');
    const slice = checkPage(page);
    await this.#admit(manager, companyId);
    return mapPage(await this.#deps.apiKeys.list({ companyId }, slice), toApiKeyView);
  }

  /**
   * Makes a key of a company.
   * @throws AuthError `validation_error`, `forbidden` for a user who may not invite to the company or offers more than they may give,
   * `conflict` for a company with 100 keys, `rate_limited` for more than 20 an hour, `reauthentication_required`, `session_revoked`,
   * `second_factor_required`.
   */
  async create(
    manager: CompanyKeyManager,
    companyId: string,
    input: CompanyApiKeyInput,
    client: ClientInfo = unknownClient,
  ): Promise<NewApiKeyView> {
    companyId = checkId(companyId, 'companyId');
    const { expiresIn, ...facts } = checkInput(companyApiKeyInput, input);
    const createdAcr = manager.kind === 'session' ? manager.acr : null;
    return this.#change(manager, companyId, async (trx) => {
      const creator = await this.#lockManager(manager, { ...facts, companyId }, trx);
      await this.#deps.apiKeys.lockCompany(companyId, trx);
      return this.#deps.apiKeyTransitions.create(
        { ...facts, kind: 'COMPANY', companyId, userId: null, createdAcr, expiresIn, creator },
        changedBy(manager, client),
        trx,
      );
    });
  }

  /** Renames a key of a company. @throws AuthError `not_found`, and as `create`. */
  async rename(
    manager: CompanyKeyManager,
    ids: { companyId: string; id: string },
    name: string,
    client: ClientInfo = unknownClient,
  ): Promise<ApiKeyView> {
    const { companyId, id } = checkInput(companyApiKeyIds, ids, 'path');
    name = checkInput(apiKeyPatchInput, { name }).name;
    return this.#change(manager, companyId, async (trx) => {
      await this.#lockKey(manager, { companyId, id }, trx);
      const by = changedBy(manager, client);
      return toApiKeyView(
        await this.#deps.apiKeyTransitions.rename({ id, owner: { companyId } }, name, by, trx),
      );
    });
  }

  /** Replaces the text of a key; the former one stops working at once, or after the overlap. @throws AuthError as `rename`. */
  async rotate(
    manager: CompanyKeyManager,
    ids: { companyId: string; id: string },
    input: RotateApiKey = {},
    client: ClientInfo = unknownClient,
  ): Promise<NewApiKeyView> {
    const { companyId, id } = checkInput(companyApiKeyIds, ids, 'path');
    const { overlap } = checkInput(rotateApiKeyInput, input);
    return this.#change(manager, companyId, async (trx) => {
      await this.#lockKey(manager, { companyId, id }, trx);
      const by = changedBy(manager, client);
      return this.#deps.apiKeyTransitions.rotate({ id, owner: { companyId } }, overlap, by, trx);
    });
  }

  /** Revokes a key of a company. Needs no step-up. @throws AuthError `not_found`, `forbidden`, `second_factor_required`. */
  async revoke(
    manager: CompanyKeyManager,
    ids: { companyId: string; id: string },
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    const { companyId, id } = checkInput(companyApiKeyIds, ids, 'path');
    if (manager.kind === 'session') assertNotActing(manager);
    await this.#admit(manager, companyId);
    await this.#deps.database.transaction(async (trx) => {
      await this.#lockKey(manager, { companyId, id }, trx, { stepUp: false });
      await this.#deps.apiKeyTransitions.revoke(
        { id, owner: { companyId } },
        changedBy(manager, client),
        trx,
      );
    });
    return { status: 'ok' };
  }

  async #change<T>(
    manager: CompanyKeyManager,
    companyId: string,
    work: (trx: Transaction) => Promise<T>,
  ): Promise<T> {
    if (manager.kind === 'session') assertNotActing(manager);
    await this.#admit(manager, companyId);
    if (manager.kind === 'session') await this.#deps.credentialStepUp.assert(manager, 'sign-in');
    return this.#deps.database.transaction(work);
  }

  /**
   * Decides by the memberships of the session; the transaction decides again by locked rows. Platform staff act by their role, all
   * others by their membership, with the level that the company requires.
   */
  async #admit(manager: CompanyKeyManager, companyId: string): Promise<void> {
    if (manager.kind !== 'session') return;
    const membership = manager.memberships.companies.find((each) => each.companyId === companyId);
    const { userId, globalRole } = manager;
    assertMayInvite({ userId, globalRole, membership });
    const actsByRole = mayInvite({ userId, globalRole, membership: undefined });
    if (!actsByRole) await this.#deps.access.assertLevel(manager, companyId);
  }

  /**
   * Locks the manager and their membership, and throws unless they may offer what the key has.
   * @returns the user; undefined for a trusted actor.
   */
  async #lockManager(
    manager: CompanyKeyManager,
    { companyId, ...lists }: KeyLists & { companyId: string },
    trx: Transaction,
    { stepUp = true }: { stepUp?: boolean } = {},
  ) {
    if (manager.kind !== 'session') return undefined;
    const parties = await this.#deps.inviters.lock(companyId, [manager.userId], trx);
    assertMayPutInto(parties.caller(manager.userId), lists);
    return stepUp ? this.#deps.credentialStepUp.lock(manager, 'sign-in', trx) : undefined;
  }

  /** Locks the manager, then the key, whose lists decide. */
  async #lockKey(
    manager: CompanyKeyManager,
    { companyId, id }: CompanyKeyIds,
    trx: Transaction,
    options?: { stepUp: boolean },
  ): Promise<void> {
    if (manager.kind === 'session') await this.#deps.inviters.lock(companyId, [manager.userId], trx);
    const key = await this.#deps.apiKeys.lock(id, { companyId }, trx);
    if (!key) throw apiKeyNotFound();
    await this.#lockManager(manager, { ...key, companyId }, trx, options);
  }
}

/** @throws AuthError `forbidden` with the reason `offer_exceeds_authority`. */
function assertMayPutInto(inviter: Inviter, { modules, permissions }: KeyLists): void {
  assertMayInvite(inviter);
  const offer = {
    role: DEFAULT_ROLE,
    // An invitation without modules means all of them; a key without modules has none.
    moduleGrants: modules?.length
      ? modules
      : inviter.membership
        ? heldDelegation(inviter.membership).grantableModules.slice(0, 1)
        : [],
    permissionGrants: permissions ?? [],
    delegation: {
      canManageUsers: false,
      canBuyAddons: false,
      grantableModules: [],
      grantablePermissions: [],
    },
  };
  assertMayOffer(inviter, offer);
}

function changedBy(manager: CompanyKeyManager, client: ClientInfo): ChangedBy {
  if (manager.kind !== 'session') return { actor: manager, client };
  const { userId, sessionId, acr } = manager;
  return { actor: { kind: 'user', userId }, client, sessionId, acr };
}
