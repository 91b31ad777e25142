import {
  apiKeyInput,
  apiKeyPatchInput,
  apiKeyView,
  companyApiKeyInput,
  exchangedApiKey,
  newApiKey,
  presentedApiKey,
  revokedApiKeys,
  rotateApiKeyInput,
  verifiedApiKey,
  verifyApiKeyInput,
} from '@latchkey/core/schemas';
import { COMPANY_ID, example, USER_ID } from './example.js';

const facts = {
  id: '01a1f918-2c40-7d05-9a3b-7e9d1f6c8b20',
  kind: 'PERSONAL' as const,
  name: 'Nightly export',
  companyId: COMPANY_ID,
  userId: USER_ID,
  expiresAt: '2027-02-18T13:09:18.235Z',
};
const apiKey = {
  ...facts,
  hint: 'x9Zk',
  modules: ['invoices'],
  createdAt: '2026-11-20T13:09:18.235Z',
  createdByUserId: USER_ID,
  lastUsedAt: '2026-11-21T08:30:00.000Z',
  lastUsedIp: '192.0.2.7',
};
const access = {
  modules: ['invoices'],
  permissions: ['invoices:approve'],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
  metadata: {
    companyId: COMPANY_ID,
    userId: USER_ID,
    role: null,
    globalRole: 'NONE' as const,
    accessPolicyMode: 'LEGACY' as const,
    businessUnitIds: [],
    entitledModules: ['invoices', 'payroll'],
    resolvedAt: '2026-11-21T08:30:00.000Z',
  },
};
const [active, inactive] = verifiedApiKey.options;

/** Examples of requests and responses about API keys. */
export const API_KEY_EXAMPLES = [
  example(apiKeyInput, { name: 'Nightly export', companyId: COMPANY_ID, modules: ['invoices'] }),
  example(companyApiKeyInput, { name: 'ERP', modules: ['invoices'], permissions: ['invoices:approve'] }),
  example(apiKeyPatchInput, { name: 'Monthly export' }),
  example(rotateApiKeyInput, { overlap: 3600 }),
  example(apiKeyView, apiKey),
  example(newApiKey, { apiKey, key: 'lkk_4fT9…' }),
  example(revokedApiKeys, { revoked: 2 }),
  example(presentedApiKey, { ...facts, access }),
  example(verifyApiKeyInput, { apiKey: 'lkk_4fT9…', companyId: COMPANY_ID }),
  example(active, { active: true, ...facts, access }),
  example(inactive, { active: false }),
  example(exchangedApiKey, { accessToken: 'eyJhbGciOiJSUzI1NiIs…', expiresIn: 300 }),
];
