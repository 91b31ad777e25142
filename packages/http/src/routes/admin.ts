import { internalKey } from '../callers/internal-key.js';
import type { Route } from '../routing/route.js';
import { machines } from '../routing/tag.js';
import { userAccessRoute } from './management/access.js';
import { machineApiKeyRoutes } from './management/api-keys.js';
import { auditLogsRoute } from './management/audit-logs.js';
import { companySessions } from './management/companies.js';
import { machineFinanceRoutes } from './management/finance.js';
import { machineMembershipRoutes } from './management/memberships.js';
import { passkeyMetrics } from './management/passkey-metrics.js';
import { machineRoleRoutes } from './management/roles.js';
import { machineSessionRoutes, revokeAllRoute } from './management/sessions.js';
import { contextRoute } from './management/user-context.js';
import { removeTrustedDevicesRoute, resetFactorsRoute } from './management/user-factors.js';
import { erasePersonalDataRoute } from './management/user-personal-data.js';
import { removePictureRoute } from './management/user-picture.js';
import { machineUserRoutes } from './management/users.js';
import { webhookRoutesForMachines } from './management/webhooks.js';

/** The routes of `/internal/admin`, for machines only. */
export const adminRoutes: Route[] = [
  ...machineUserRoutes,
  resetFactorsRoute('/internal/admin/users', internalKey, machines),
  removeTrustedDevicesRoute('/internal/admin/users', internalKey, machines),
  removePictureRoute('/internal/admin/users', internalKey, machines),
  erasePersonalDataRoute('/internal/admin/users', internalKey, machines),
  contextRoute('/internal/admin/users', internalKey, machines),
  revokeAllRoute('/internal/admin/users', internalKey, machines),
  userAccessRoute('/internal/admin/users', internalKey, machines),
  ...machineSessionRoutes,
  ...machineMembershipRoutes,
  ...machineFinanceRoutes,
  ...machineApiKeyRoutes,
  ...webhookRoutesForMachines,
  ...machineRoleRoutes,
  companySessions,
  passkeyMetrics,
  auditLogsRoute('/internal/admin', internalKey, machines),
];
