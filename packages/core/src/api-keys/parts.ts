import { made } from '../kernel/assemble.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ApiKeyDenials } from './api-key-denials.js';
import { ApiKeyExpiryNotices } from './api-key-expiry-notices.js';
import { ApiKeyStateQueries } from './api-key-state-queries.js';
import { ApiKeyUses } from './api-key-uses.js';
import { ApiKeyVerification } from './api-key-verification.js';
import { CompanyApiKeys } from './company-api-keys.js';
import { PersonalApiKeys } from './personal-api-keys.js';

/** The parts that make, authenticate and verify API keys. */
export const apiKeyParts = {
  apiKeyMode: ({ settings }: { readonly settings: Settings }) => settings.apiKeys.mode,
  apiKeyStates: ({ database }: { readonly database: Database }) => new ApiKeyStateQueries(database),
  apiKeyUses: made(ApiKeyUses),
  apiKeyDenials: made(ApiKeyDenials),
  apiKeyAuthenticator: made(ApiKeyAuthenticator),
  apiKeyVerification: made(ApiKeyVerification),
  personalApiKeys: made(PersonalApiKeys),
  companyApiKeys: made(CompanyApiKeys),
  apiKeyExpiryNotices: made(ApiKeyExpiryNotices),
};
