import { AccessService } from '../access/access-service.js';
import { HttpEntitlements } from '../access/entitlements.http.js';
import type { EntitlementSource } from '../access/entitlements.js';
import { ObservedEntitlements } from '../access/entitlements.observed.js';
import { SharedEntitlements } from '../access/entitlements.shared.js';
import { StaticEntitlements, type EntitlementsFunction } from '../access/entitlements.static.js';
import { ShadowComparison } from '../access/shadow-comparison.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import type { Tracer } from '../kernel/tracer.js';
import type { CoreServiceSettings, Settings } from '../settings/settings.js';
import type { Repositories } from './repositories.js';

export interface AccessOptions {
  /** Returns the entitlements of a company instead of a core service; undefined for an unknown company. */
  entitlements?: EntitlementsFunction | undefined;
}

interface AccessDeps extends AccessOptions {
  readonly repositories: Repositories;
  readonly logger: Logger;
  readonly observer: Observer;
  readonly tracer?: Tracer | undefined;
}

export function buildAccess(
  { coreService }: Settings,
  { repositories, logger, entitlements, observer, tracer }: AccessDeps,
): AccessService {
  return new AccessService({
    ...repositories,
    entitlements: openEntitlements(coreService, { entitlements, observer, tracer }),
    companiesRequire: kindOfEntitlements(coreService, entitlements) !== 'none',
    shadow: new ShadowComparison(logger),
  });
}

/** Returns the kind of the entitlement source. */
export function kindOfEntitlements(
  { baseUrl }: CoreServiceSettings,
  entitlements: EntitlementsFunction | undefined,
): 'function' | 'core service' | 'none' {
  if (entitlements) return 'function';
  return baseUrl === undefined ? 'none' : 'core service';
}

/** Opens the entitlement source: a function of the host app if it has one, else the core service. */
export function openEntitlements(
  settings: CoreServiceSettings,
  { entitlements, observer, tracer }: Pick<AccessDeps, 'entitlements' | 'observer' | 'tracer'>,
): EntitlementSource {
  const source = entitlements
    ? new StaticEntitlements(entitlements, settings)
    : new HttpEntitlements({ ...settings, apiKey: settings.apiKey?.reveal(), tracer });
  const observed = new ObservedEntitlements(source, observer);
  return new SharedEntitlements(observed, { cacheTtl: settings.entitlementsCacheTtl });
}
