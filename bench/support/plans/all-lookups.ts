import type { Database } from '../../../packages/core/src/storage/database.js';
import { accountDeletionLookups } from './account-deletion-lookups.js';
import { activityLookups } from './activity-lookups.js';
import { apiKeyLookups } from './api-key-lookups.js';
import { auditLookups } from './audit-lookups.js';
import { cleanupLookups } from './cleanup-lookups.js';
import { companyLookups } from './company-lookups.js';
import { externalLookups } from './external-lookups.js';
import { factorLookups } from './factor-lookups.js';
import { importLookups } from './import-lookups.js';
import { invitationLookups } from './invitation-lookups.js';
import { beyondOneUser, type Lookup } from './lookup.js';
import { mailLookups } from './mail-lookups.js';
import { mailedSignInLookups } from './mailed-sign-in-lookups.js';
import { memberLookups } from './member-lookups.js';
import { passkeyLookups } from './passkey-lookups.js';
import { personalDataLookups } from './personal-data-lookups.js';
import { pictureLookups } from './picture-lookups.js';
import { revocationLookups } from './revocation-lookups.js';
import { roleLookups } from './role-lookups.js';
import { serverLookups } from './server-lookups.js';
import { sessionLookups } from './session-lookups.js';
import { trustedDeviceLookups } from './trusted-device-lookups.js';
import { userLookups } from './user-lookups.js';
import { webhookLookups } from './webhook-lookups.js';

/** Lists the queries and changes of all repositories. */
export const allLookups = (database: Database): Lookup[] => [
  ...sessionLookups(database),
  ...userLookups(database),
  ...memberLookups(database),
  ...companyLookups(database),
  ...roleLookups(database),
  ...invitationLookups(database),
  ...passkeyLookups(database),
  ...factorLookups(database),
  ...externalLookups(database),
  ...mailedSignInLookups(database),
  ...accountDeletionLookups(database),
  ...trustedDeviceLookups(database),
  ...pictureLookups(database),
  ...apiKeyLookups(database),
  ...webhookLookups(database),
  ...beyondOneUser('the outbox', mailLookups(database)),
  ...beyondOneUser('the audit log', auditLookups(database)),
  ...beyondOneUser('the audit log', activityLookups(database)),
  ...personalDataLookups(database),
  ...beyondOneUser('the revocation feed', revocationLookups(database)),
  ...beyondOneUser('an import or export', importLookups(database)),
  ...beyondOneUser('the server', serverLookups(database)),
  ...beyondOneUser('a clean-up', cleanupLookups(database)),
];
