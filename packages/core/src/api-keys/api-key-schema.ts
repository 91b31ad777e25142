import { z } from 'zod';
import { accessView } from '../access/access-schema.js';
import { API_KEY_KINDS, type ApiKey } from '../api-key-records/api-key.js';
import { durationInput } from '../kernel/duration-input.js';
import { nameInput } from '../kernel/name-input.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { keysInput } from '../memberships/membership-input.js';

const LEAST_LIFETIME = 60;
/** Ten years, the most that the settings allow. */
const LONGEST_LIFETIME = 3_650 * 86_400;
const LONGEST_OVERLAP = 86_400;

const name = nameInput(100);
const expiresIn = durationInput({ from: LEAST_LIFETIME, to: LONGEST_LIFETIME })
  .nullable()
  .optional()
  .describe(
    'Seconds until the key expires, or a duration such as `90d`; at most `API_KEY_MAX_LIFETIME`. Null for a key that does not expire, where that is `none`.',
  );

/** Schema of a new company key: its lists are all that it gets. */
export const companyApiKeyInput = z.object({
  name,
  modules: keysInput.describe('The modules of the key; an empty list gives none.'),
  permissions: keysInput.describe('The permissions of the key; an empty list gives none.'),
  expiresIn,
});
/** A new company key. */
export type CompanyApiKeyInput = z.input<typeof companyApiKeyInput>;

/** Schema of a new personal key: lists cut what its owner has. */
export const apiKeyInput = z.object({
  name,
  companyId: uuidInput.optional().describe('The company in which the key works; in none without it.'),
  modules: keysInput.optional().describe('Cuts the modules of the owner; all of them without it.'),
  permissions: keysInput.optional().describe('Cuts the permissions of the owner; all of them without it.'),
  expiresIn,
});
/** A new personal key. */
export type ApiKeyInput = z.input<typeof apiKeyInput>;

/** Schema of a new name of a key. */
export const apiKeyPatchInput = z.object({ name });

/** Schema of a rotation. */
export const rotateApiKeyInput = z.object({
  overlap: durationInput({ from: 0, to: LONGEST_OVERLAP })
    .default(0)
    .describe(
      'Seconds for which the former key is accepted, too, or a duration such as `1h`; at most a day.',
    ),
});
/** A rotation: for how long the former key is accepted, too. */
export type RotateApiKey = z.input<typeof rotateApiKeyInput>;

/** Schema of the ids of a company key. */
export const companyApiKeyIds = z.object({
  companyId: uuidInput.describe('Id of the company.'),
  id: uuidInput.describe('Id of the API key.'),
});

const timestamp = z.iso.datetime();

const ownerFields = {
  id: z.guid(),
  kind: z.enum(API_KEY_KINDS),
  name: z.string(),
  companyId: z.guid().optional(),
  userId: z.guid().optional().describe('The owner of a personal key.'),
};

/** Schema of an API key in lists: never the key itself. */
export const apiKeyView = z
  .object({
    ...ownerFields,
    hint: z.string().describe('The last four characters of the key.'),
    modules: z.array(z.string()).optional().describe('Missing: all of the owner.'),
    permissions: z.array(z.string()).optional().describe('Missing: all of the owner.'),
    createdAt: timestamp,
    createdByUserId: z.guid().optional(),
    expiresAt: timestamp.optional(),
    formerUntil: timestamp.optional().describe('Until then the key before the last rotation is accepted.'),
    lastUsedAt: timestamp.optional(),
    lastUsedIp: z.string().optional(),
  })
  .meta({ id: 'ApiKey' });
/** An API key in lists; times in ISO 8601. */
export type ApiKeyView = z.output<typeof apiKeyView>;

/** Schema of a key that was made or rotated. */
export const newApiKey = z
  .object({
    apiKey: apiKeyView,
    key: z.string().describe('The key itself. It is shown once and cannot be read later.'),
  })
  .meta({ id: 'NewApiKey' });
/** An API key with its text, which is shown once. */
export type NewApiKeyView = z.output<typeof newApiKey>;

/** Schema of the number of revoked keys. */
export const revokedApiKeys = z.object({ revoked: z.int().min(0) }).meta({ id: 'RevokedApiKeys' });
/** The number of keys that were revoked. */
export type RevokedApiKeys = z.output<typeof revokedApiKeys>;

/** Schema of what a key says about itself. */
export const presentedApiKey = z
  .object({
    ...ownerFields,
    expiresAt: timestamp.optional(),
    access: accessView.optional().describe('Missing for a key that works in no company.'),
  })
  .meta({ id: 'PresentedApiKey' });
/** A key that was presented, with its access. */
export type PresentedApiKey = z.output<typeof presentedApiKey>;

/** Schema of a verification for another service. */
export const verifyApiKeyInput = z.object({
  apiKey: z.string().min(1).max(500),
  companyId: uuidInput.optional().describe('Only a key of this company is active.'),
});
/** A key to verify. */
export type VerifyApiKey = z.input<typeof verifyApiKeyInput>;

/** Schema of the result of a verification: nothing is said about a key that is not active (RFC 7662 section 2.2). */
export const verifiedApiKey = z.union([
  presentedApiKey.extend({ active: z.literal(true) }).meta({ id: 'ActiveApiKey' }),
  z.object({ active: z.literal(false) }).meta({ id: 'InactiveApiKey' }),
]);
/** The state of a key, and its owner while it is active. */
export type VerifiedApiKey = z.output<typeof verifiedApiKey>;

/** Schema of a token that a key was exchanged for. */
export const exchangedApiKey = z
  .object({ accessToken: z.string(), expiresIn: z.int().describe('Seconds.') })
  .meta({ id: 'ExchangedApiKey' });
/** A token that a key was exchanged for, of the type `key+jwt`. */
export type ExchangedApiKey = z.output<typeof exchangedApiKey>;

export function toApiKeyView(key: ApiKey): ApiKeyView {
  const { companyId, userId, createdByUserId, modules, permissions, lastUsedIp } = key;
  const { expiresAt, formerUntil, lastUsedAt } = key;
  const isOverlapping = formerUntil !== null && formerUntil.getTime() > Date.now();
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    createdAt: key.createdAt.toISOString(),
    ...(companyId !== null && { companyId }),
    ...(userId !== null && { userId }),
    ...(modules && { modules }),
    ...(permissions && { permissions }),
    ...(createdByUserId !== null && { createdByUserId }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(isOverlapping && { formerUntil: formerUntil.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(lastUsedIp !== null && { lastUsedIp }),
  };
}
