import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { AccessSubject } from './access-resolution.js';
import type { AccessView } from './access-schema.js';
import { NO_DELEGATION } from './effective-permissions.js';
import type { Entitlements } from './entitlements.js';

/** The part of an API key that decides about its access. */
interface KeyLimits {
  /** The subject of its access: the owner, or `key:<id>`. */
  subject: string;
  acr: AuthenticationLevel;
  /** Null for all of the owner's. */
  modules: readonly string[] | null;
  permissions: readonly string[] | null;
}

/** An API key with its owner; undefined for a key of a company. */
export interface KeyHolder extends KeyLimits {
  owner: AccessSubject | undefined;
}

/** Returns the access of an owner, cut by the lists of a key. A list that is empty leaves nothing. */
export function cutToKey(access: AccessView, { modules, permissions }: KeyLimits): AccessView {
  return {
    modules: access.modules.filter((key) => modules?.includes(key) ?? true),
    permissions: access.permissions.filter((key) => permissions?.includes(key) ?? true),
    delegation: NO_DELEGATION,
    metadata: { ...access.metadata, role: null, globalRole: 'NONE' },
  };
}

/** Returns the access of a company key: its lists, cut by the entitlements of the company. */
export const accessOfCompanyKey = (
  { subject, modules, permissions }: KeyLimits,
  companyId: string,
  { accessPolicyMode, ...entitled }: Entitlements,
): AccessView => ({
  modules: (modules ?? []).filter((key) => entitled.modules.has(key)).toSorted(),
  permissions: (permissions ?? []).filter((key) => entitled.permissions?.has(key) ?? true).toSorted(),
  delegation: NO_DELEGATION,
  metadata: {
    companyId,
    ...(entitled.name !== undefined && { companyName: entitled.name }),
    userId: subject,
    role: null,
    globalRole: 'NONE',
    accessPolicyMode,
    businessUnitIds: [],
    entitledModules: [...entitled.modules].toSorted(),
    resolvedAt: new Date().toISOString(),
  },
});
