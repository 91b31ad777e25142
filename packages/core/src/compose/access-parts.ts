import { AccessService } from '../access/access-service.js';
import { ShadowComparison } from '../access/shadow-comparison.js';
import { made } from '../kernel/assemble.js';
import type { Logger } from '../kernel/logger.js';
import { kindOfEntitlements, openEntitlements, type EntitlementsParts } from './open-entitlements.js';

/** What resolves access. It only reads. */
export const accessParts = {
  entitlements: openEntitlements,
  companiesRequire: ({ settings, entitlementsFunction }: EntitlementsParts) =>
    kindOfEntitlements(settings.coreService, entitlementsFunction) !== 'none',
  shadow: ({ logger }: { readonly logger: Logger }) => new ShadowComparison(logger),
  access: made(AccessService),
};
