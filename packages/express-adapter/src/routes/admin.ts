import { internalKey } from '../callers/internal-key.js';
import type { Route } from '../http/route.js';
import { auditLogs } from './management/audit-logs.js';
import { machineSessionRoutes, revokeAllRoute } from './management/sessions.js';
import { contextRoute, machineUserRoutes } from './management/users.js';

/** The machine table: `/internal/admin`, with the internal key only. */
export const adminRoutes: Route[] = [
  ...machineUserRoutes,
  contextRoute('/internal/admin/users', internalKey),
  revokeAllRoute('/internal/admin/users', internalKey),
  ...machineSessionRoutes,
  auditLogs,
];
