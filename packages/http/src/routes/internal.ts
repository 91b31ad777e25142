import { machineOr } from '../callers/machine-or.js';
import { anySignedIn, staff, staffOrSelf } from '../callers/staff.js';
import type { Route } from '../routing/route.js';
import { people } from '../routing/tag.js';
import { userAccessRoute } from './management/access.js';
import { activity } from './management/activity.js';
import { peopleApiKeyRoutes } from './management/api-keys.js';
import { auditLogsRoute } from './management/audit-logs.js';
import {
  allCompanies,
  companyAuditLogs,
  companyDetails,
  memberAccess,
  resolveCompanyRoute,
} from './management/companies.js';
import { peopleFinanceRoutes } from './management/finance.js';
import { serviceHealth } from './management/health-report.js';
import { allInvitations } from './management/invitations.js';
import { mailRoutes } from './management/mail.js';
import { peopleMembershipRoutes } from './management/memberships.js';
import { revocations } from './management/revocations.js';
import { peopleRoleRoutes } from './management/roles.js';
import { revokeAllRoute, revokeSessionRoute, staffSessionRoutes } from './management/sessions.js';
import { userApiKeyRoutes } from './management/user-api-keys.js';
import { contextRoute } from './management/user-context.js';
import {
  removeTrustedDevicesRoute,
  resetFactorsRoute,
  userFactorsRoute,
  userTrustedDevicesRoute,
} from './management/user-factors.js';
import { userMailRoutes } from './management/user-mails.js';
import { userPasskeyRoutes } from './management/user-passkeys.js';
import { erasePersonalDataRoute } from './management/user-personal-data.js';
import { removePictureRoute } from './management/user-picture.js';
import { staffUserRoutes } from './management/users.js';
import { verifyApiKey } from './management/verify-api-key.js';
import { webhookRoutesForPeople } from './management/webhooks.js';

/** The routes of `/internal` for users. The last ones also accept machines; the feed of revocations no one else. */
export const internalRoutes: Route[] = [
  ...staffUserRoutes,
  userFactorsRoute,
  resetFactorsRoute('/internal/users', staff('reset-factors'), people),
  userTrustedDevicesRoute,
  removeTrustedDevicesRoute('/internal/users', staff('revoke-sessions'), people),
  removePictureRoute('/internal/users', staff('edit'), people),
  erasePersonalDataRoute('/internal/users', staff('erase'), people),
  ...userPasskeyRoutes,
  ...userApiKeyRoutes,
  ...userMailRoutes,
  userAccessRoute('/internal/users', staff('read'), people),
  ...staffSessionRoutes,
  auditLogsRoute('/internal', staff('operate'), people),
  ...mailRoutes,
  allInvitations,
  serviceHealth,
  activity,
  allCompanies,
  ...peopleMembershipRoutes,
  memberAccess,
  ...peopleFinanceRoutes,
  ...peopleApiKeyRoutes,
  ...webhookRoutesForPeople,
  ...peopleRoleRoutes,
  companyAuditLogs,
  resolveCompanyRoute(machineOr(staff('read'))),
  companyDetails,
  contextRoute('/internal/users', machineOr(staffOrSelf('read')), people),
  revokeAllRoute('/internal/users', machineOr(anySignedIn), people),
  revokeSessionRoute(machineOr(anySignedIn)),
  revocations,
  verifyApiKey,
];
