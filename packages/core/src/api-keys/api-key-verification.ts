import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { ApiKeyTokens } from '../tokens/api-key-token.js';
import type { ApiKeyAuthenticator, AuthenticatedKey, KeyForAccess } from './api-key-authenticator.js';
import {
  verifyApiKeyInput,
  type ExchangedApiKey,
  type PresentedApiKey,
  type VerifiedApiKey,
  type VerifyApiKey,
} from './api-key-schema.js';

/** Verifies API keys that were presented to other services, and exchanges keys for tokens. */
export class ApiKeyVerification {
  readonly #deps;

  constructor(deps: {
    readonly apiKeyAuthenticator: ApiKeyAuthenticator;
    readonly apiKeyTokens: ApiKeyTokens;
  }) {
    this.#deps = deps;
  }

  /** Returns what a key says about itself, with its access if it works in a company. Throws like `accessOf`. */
  async describe(caller: KeyForAccess): Promise<PresentedApiKey> {
    const access =
      caller.companyId === null ? undefined : await this.#deps.apiKeyAuthenticator.accessOf(caller);
    return { ...factsOf(caller), ...(access && { access }) };
  }

  /**
   * Returns whether a key is active, and then whose it is and what it may do. A key that opens nothing in its company is not active.
   * @throws AuthError `validation_error`, `rate_limited` after too many unknown keys from one address, `service_unavailable`.
   */
  async verify(input: VerifyApiKey, client: ClientInfo = unknownClient): Promise<VerifiedApiKey> {
    const { apiKey, companyId } = checkInput(verifyApiKeyInput, input);
    try {
      const caller = await this.#deps.apiKeyAuthenticator.authenticateForAccess(apiKey, client);
      if (companyId !== undefined && companyId !== caller.companyId) return { active: false };
      return { active: true, ...(await this.describe(caller)) };
    } catch (error) {
      if (isRefusal(error)) return { active: false };
      throw error;
    }
  }

  /** Returns a token for a key, for services that verify tokens by themselves. It lives for at most 300 seconds. */
  async exchange({
    apiKey,
    userId: subject,
    companyId,
    expiresAt,
  }: AuthenticatedKey): Promise<ExchangedApiKey> {
    return this.#deps.apiKeyTokens.issue({
      subject,
      keyId: apiKey.id,
      kind: apiKey.kind,
      companyId,
      notAfter: expiresAt,
    });
  }
}

const REFUSALS: readonly string[] = ['unauthorized', 'forbidden', 'second_factor_required'];

const isRefusal = (error: unknown): boolean => AuthError.is(error) && REFUSALS.includes(error.code);

const factsOf = ({ apiKey, name, companyId, user, expiresAt }: AuthenticatedKey): PresentedApiKey => ({
  id: apiKey.id,
  kind: apiKey.kind,
  name,
  ...(companyId !== null && { companyId }),
  ...(user && { userId: user.id }),
  ...(expiresAt !== null && { expiresAt: new Date(expiresAt * 1000).toISOString() }),
});
