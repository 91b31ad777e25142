import { AccessService } from '../access/access-service.js';
import { HttpEntitlements } from '../access/entitlements.http.js';
import type { EntitlementSource } from '../access/entitlements.js';
import { ObservedEntitlements } from '../access/entitlements.observed.js';
import { SharedEntitlements } from '../access/entitlements.shared.js';
import { StaticEntitlements, type EntitlementsFunction } from '../access/entitlements.static.js';
import { ModuleRuleRepository } from '../access/module-rule-repository.js';
import { ShadowComparison } from '../access/shadow-comparison.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import type { CoreServiceSettings, Settings } from '../settings/settings.js';
import type { Records } from './build-records.js';

export interface AccessOptions {
  /** What each company is entitled to, when that is no core service's to say; undefined for an unknown company. */
  entitlements?: EntitlementsFunction | undefined;
}

interface Needs extends AccessOptions {
  records: Records;
  logger: Logger;
  observer: Observer;
}

export function buildAccess(
  { coreService }: Settings,
  { records, logger, entitlements, observer }: Needs,
): AccessService {
  return new AccessService({
    ...records,
    entitlements: openEntitlements(coreService, entitlements, observer),
    rules: new ModuleRuleRepository(records.database),
    shadow: new ShadowComparison(logger),
  });
}

/** What says what companies are entitled to, by its kind. */
export function kindOfEntitlements(
  { baseUrl }: CoreServiceSettings,
  entitlements: EntitlementsFunction | undefined,
): 'function' | 'core service' | 'none' {
  if (entitlements) return 'function';
  return baseUrl === undefined ? 'none' : 'core service';
}

/** Where it is asked what companies are entitled to: a function of the host app, else the core service. */
export function openEntitlements(
  settings: CoreServiceSettings,
  entitlements: EntitlementsFunction | undefined,
  observer: Observer,
): EntitlementSource {
  const source = entitlements
    ? new StaticEntitlements(entitlements, settings)
    : new HttpEntitlements({ ...settings, apiKey: settings.apiKey?.reveal() });
  const observed = new ObservedEntitlements(source, observer);
  return new SharedEntitlements(observed, { cacheTtl: settings.entitlementsCacheTtl });
}
