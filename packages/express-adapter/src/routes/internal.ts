import { machineOr } from '../callers/machine-or.js';
import { anySignedIn, staffOrSelf } from '../callers/staff.js';
import type { Route } from '../http/route.js';
import { revokeAllRoute, revokeSessionRoute } from './management/sessions.js';
import { contextRoute, staffUserRoutes } from './management/users.js';

/** The Bearer table of `/internal`. The last three stand in the machine table too. */
export const internalRoutes: Route[] = [
  ...staffUserRoutes,
  contextRoute('/internal/users', machineOr(staffOrSelf('read'))),
  revokeAllRoute('/internal/users', machineOr(anySignedIn)),
  revokeSessionRoute(machineOr(anySignedIn)),
];
