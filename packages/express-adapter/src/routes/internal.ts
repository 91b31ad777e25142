import { machineOr } from '../callers/machine-or.js';
import { anySignedIn, staff, staffOrSelf } from '../callers/staff.js';
import type { Route } from '../http/route.js';
import { people } from '../http/tag.js';
import { resolveCompanyRoute } from './management/companies.js';
import { peopleFinanceRoutes } from './management/finance.js';
import { peopleMembershipRoutes } from './management/memberships.js';
import { revocations } from './management/revocations.js';
import { revokeAllRoute, revokeSessionRoute } from './management/sessions.js';
import { contextRoute } from './management/user-context.js';
import { resetFactorsRoute } from './management/user-factors.js';
import { erasePersonalDataRoute } from './management/user-personal-data.js';
import { staffUserRoutes } from './management/users.js';

/** The routes of `/internal` for users. The last ones also accept machines; the feed of revocations no one else. */
export const internalRoutes: Route[] = [
  ...staffUserRoutes,
  resetFactorsRoute('/internal/users', staff('reset-factors'), people),
  erasePersonalDataRoute('/internal/users', staff('erase'), people),
  ...peopleMembershipRoutes,
  ...peopleFinanceRoutes,
  resolveCompanyRoute(machineOr(staff('read'))),
  contextRoute('/internal/users', machineOr(staffOrSelf('read')), people),
  revokeAllRoute('/internal/users', machineOr(anySignedIn), people),
  revokeSessionRoute(machineOr(anySignedIn)),
  revocations,
];
