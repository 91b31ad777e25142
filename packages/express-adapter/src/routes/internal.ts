import { machineOr } from '../callers/machine-or.js';
import { anySignedIn, staff, staffOrSelf } from '../callers/staff.js';
import type { Route } from '../http/route.js';
import { people } from '../http/tag.js';
import { resolveCompanyRoute } from './management/companies.js';
import { peopleFinanceRoutes } from './management/finance.js';
import { peopleMembershipRoutes } from './management/memberships.js';
import { revokeAllRoute, revokeSessionRoute } from './management/sessions.js';
import { contextRoute } from './management/user-context.js';
import { staffUserRoutes } from './management/users.js';

/** The routes of `/internal` for users. The last four also accept machines. */
export const internalRoutes: Route[] = [
  ...staffUserRoutes,
  ...peopleMembershipRoutes,
  ...peopleFinanceRoutes,
  resolveCompanyRoute(machineOr(staff('read'))),
  contextRoute('/internal/users', machineOr(staffOrSelf('read')), people),
  revokeAllRoute('/internal/users', machineOr(anySignedIn), people),
  revokeSessionRoute(machineOr(anySignedIn)),
];
