import { AccessService } from '../access/access-service.js';
import { HttpEntitlements } from '../access/entitlements.http.js';
import { SharedEntitlements } from '../access/entitlements.shared.js';
import { StaticEntitlements, type EntitlementsFunction } from '../access/entitlements.static.js';
import { ModuleRuleRepository } from '../access/module-rule-repository.js';
import { ShadowComparison } from '../access/shadow-comparison.js';
import type { Logger } from '../kernel/logger.js';
import type { CoreServiceSettings, Settings } from '../settings/settings.js';
import type { Records } from './build-records.js';

export interface AccessOptions {
  /** What each company is entitled to, when that is no core service's to say; undefined for an unknown company. */
  entitlements?: EntitlementsFunction | undefined;
}

interface Needs extends AccessOptions {
  records: Records;
  logger: Logger;
}

export function buildAccess(
  { coreService }: Settings,
  { records, logger, entitlements }: Needs,
): AccessService {
  const source = sourceOf(coreService, entitlements);
  return new AccessService({
    ...records,
    entitlements: new SharedEntitlements(source, { cacheTtl: coreService.entitlementsCacheTtl }),
    rules: new ModuleRuleRepository(records.database),
    shadow: new ShadowComparison(logger),
  });
}

const sourceOf = (settings: CoreServiceSettings, entitlements: EntitlementsFunction | undefined) =>
  entitlements ? new StaticEntitlements(entitlements, settings) : new HttpEntitlements(settings);
