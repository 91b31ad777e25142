import type { ApiKey } from './api-key.js';

export interface ApiKeyRow {
  id: string;
  kind: ApiKey['kind'];
  company_id: string | null;
  user_id: string | null;
  created_by_user_id: string | null;
  created_acr: ApiKey['createdAcr'];
  name: string;
  hint: string;
  modules: string[] | null;
  permissions: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  former_until: Date | null;
  last_used_at: Date | null;
  last_used_ip: string | null;
  revoked_at: Date | null;
  revoke_reason: string | null;
}

const COLUMN_NAMES = [
  'id',
  'kind',
  'company_id',
  'user_id',
  'created_by_user_id',
  'created_acr',
  'name',
  'hint',
  'modules',
  'permissions',
  'created_at',
  'expires_at',
  'former_until',
  'last_used_at',
  'last_used_ip',
  'revoked_at',
  'revoke_reason',
] as const satisfies readonly (keyof ApiKeyRow)[];

/** The columns of a key for a select list: never a digest. */
export const apiKeyColumns = (alias = 'api_keys'): string =>
  COLUMN_NAMES.map((name) => `${alias}.${name}`).join(', ');

export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  kind: row.kind,
  companyId: row.company_id,
  userId: row.user_id,
  createdByUserId: row.created_by_user_id,
  createdAcr: row.created_acr,
  name: row.name,
  hint: row.hint,
  modules: row.modules,
  permissions: row.permissions,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  formerUntil: row.former_until,
  lastUsedAt: row.last_used_at,
  lastUsedIp: row.last_used_ip,
  revokedAt: row.revoked_at,
  revokeReason: row.revoke_reason,
});
