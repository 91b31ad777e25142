import { hash } from 'node:crypto';
import type { AccessView } from '../access/access-schema.js';
import type { AccessService } from '../access/access-service.js';
import { isApiKeyText } from '../api-key-records/api-key-text.js';
import type { ApiKeyKind } from '../api-key-records/api-key.js';
import { AuthError } from '../kernel/auth-error.js';
import { Batcher } from '../kernel/batcher.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { ApiKeyPrincipal } from '../sessions/session.js';
import type { ApiKeyMode } from '../settings/api-key-mode.js';
import { NO_EXTRA_CLAIMS } from '../tokens/extra-claims.js';
import { maySignIn, type User } from '../users/user.js';
import type { ApiKeyDenials } from './api-key-denials.js';
import type { ApiKeyState, ApiKeyStateForAccess, ApiKeyStateQueries } from './api-key-state-queries.js';
import type { ApiKeyUses } from './api-key-uses.js';

interface ApiKeyAuthenticatorDeps {
  readonly apiKeyStates: ApiKeyStateQueries;
  readonly apiKeyUses: Pick<ApiKeyUses, 'record'>;
  readonly apiKeyDenials: Pick<ApiKeyDenials, 'count'>;
  readonly access: Pick<AccessService, 'resolveOfKey'>;
  readonly apiKeyMode: ApiKeyMode;
}

/** A caller with an API key, whose row and owner were read by one query. */
export interface AuthenticatedKey extends ApiKeyPrincipal {
  name: string;
  /** The owner; undefined for a key of a company. */
  user: User | undefined;
}

/** The same with all that its access depends on beside the entitlements of its company. */
export interface KeyForAccess extends AuthenticatedKey {
  state: ApiKeyStateForAccess;
}

/** Authenticates API keys, and computes what they may do now. */
export class ApiKeyAuthenticator {
  readonly #deps: ApiKeyAuthenticatorDeps;
  readonly #states: Batcher<ApiKeyState>;
  readonly #statesForAccess: Batcher<ApiKeyStateForAccess>;

  constructor(deps: ApiKeyAuthenticatorDeps) {
    this.#deps = deps;
    const { apiKeyStates: states } = deps;
    this.#states = new Batcher((digests) => states.check(digests));
    this.#statesForAccess = new Batcher((digests) => states.checkForAccess(digests));
  }

  /**
   * Returns the caller of an API key, checked against the database in one query shared by the requests of the same tick. A
   * revocation that was acknowledged before this call is always seen.
   * @throws AuthError `unauthorized` for a key that is unknown, expired, revoked or of a kind that is off, or whose owner may not sign
   * in; `rate_limited` after too many unknown ones from one address, `service_unavailable`.
   */
  async authenticate(key: string, client: ClientInfo = unknownClient): Promise<AuthenticatedKey> {
    return toCaller(await this.#check(this.#states, key, client));
  }

  /** Returns the caller with all that their access depends on, read in the same query. Throws like `authenticate`. */
  async authenticateForAccess(key: string, client: ClientInfo = unknownClient): Promise<KeyForAccess> {
    const state = await this.#check(this.#statesForAccess, key, client);
    return Object.assign(toCaller(state), { state });
  }

  /**
   * Returns the access of a key in its company.
   * @param companyId the company of the request; defaults to that of the key.
   * @throws AuthError `forbidden` for another company, and for a key that works in none; what `AccessService.resolve` throws.
   */
  async accessOf(caller: KeyForAccess, companyId?: string): Promise<AccessView> {
    const { key, memberships, moduleRules } = caller.state;
    if (key.companyId === null || (companyId ?? key.companyId) !== key.companyId)
      throw otherCompany(key.companyId);
    const { userId: subject, acr } = caller;
    const { modules, permissions } = key;
    const owner =
      key.userId === null
        ? undefined
        : { userId: key.userId, globalRole: 'NONE' as const, acr, memberships, moduleRules };
    return this.#deps.access.resolveOfKey({ owner, subject, acr, modules, permissions }, key.companyId);
  }

  async #check<State extends ApiKeyState>(
    states: Batcher<State>,
    text: string,
    client: ClientInfo,
  ): Promise<State> {
    const { apiKeyMode, apiKeyUses, apiKeyDenials } = this.#deps;
    if (apiKeyMode === 'off') throw invalidKey();
    // A wrong checksum is refused without a query.
    const state = isApiKeyText(text) ? await states.load(hash('sha256', text, 'hex')) : undefined;
    if (!state) await apiKeyDenials.count(client);
    if (!state || !isActive(state, apiKeyMode)) throw invalidKey();
    if (state.isUseDue) apiKeyUses.record(state.key.id, client.ipAddress);
    return state;
  }
}

/** Reports whether keys of this kind exist under a mode. */
const allowsKeys = (mode: ApiKeyMode, kind: ApiKeyKind): boolean =>
  mode === 'all' || mode === (kind === 'PERSONAL' ? 'personal' : 'company');

const isActive = ({ key, isRevoked, isExpired, user }: ApiKeyState, mode: ApiKeyMode): boolean =>
  !isRevoked && !isExpired && allowsKeys(mode, key.kind) && (user === undefined || maySignIn(user));

const toCaller = ({ key, expiresAt, user }: ApiKeyState): AuthenticatedKey => ({
  kind: 'api-key',
  apiKey: { id: key.id, kind: key.kind },
  userId: key.userId ?? `key:${key.id}`,
  sessionId: key.id,
  companyId: key.companyId,
  globalRole: 'NONE',
  acr: key.createdAcr ?? 'aal1',
  amr: [],
  expiresAt: expiresAt && Math.floor(expiresAt.getTime() / 1000),
  claims: NO_EXTRA_CLAIMS,
  name: key.name,
  user,
});

const invalidKey = (): AuthError =>
  AuthError.unauthorized('The API key is unknown, expired or revoked.', 'api_key_invalid');

const otherCompany = (companyId: string | null): AuthError =>
  AuthError.forbidden(
    companyId === null
      ? 'This API key works in no company. Make one for the company.'
      : 'This API key works in another company. Leave `x-org` out, or use a key for the company.',
    'api_key_of_other_company',
  );
