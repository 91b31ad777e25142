import { HttpEntitlements } from '../access/entitlements.http.js';
import type { EntitlementSource } from '../access/entitlements.js';
import { ObservedEntitlements } from '../access/entitlements.observed.js';
import { SharedEntitlements } from '../access/entitlements.shared.js';
import { StaticEntitlements, type EntitlementsFunction } from '../access/entitlements.static.js';
import type { CompanyNameLearner } from '../companies/company-name-learner.js';
import type { Observer } from '../kernel/observer.js';
import type { Tracer } from '../kernel/tracer.js';
import type { Settings } from '../settings/settings.js';

export interface AccessOptions {
  /** Returns the entitlements of a company instead of a core service; undefined for an unknown company. */
  entitlements?: EntitlementsFunction | undefined;
}

export interface EntitlementsParts {
  readonly settings: Settings;
  readonly entitlementsFunction: EntitlementsFunction | undefined;
  readonly observer: Observer;
  readonly tracer: Tracer | undefined;
  /** Undefined over a database that is only read. */
  readonly companyNames: CompanyNameLearner | undefined;
}

/** Returns the kind of the entitlement source. */
export function kindOfEntitlements(
  { baseUrl }: Settings['coreService'],
  entitlements: EntitlementsFunction | undefined,
): 'function' | 'core service' | 'none' {
  if (entitlements) return 'function';
  return baseUrl === undefined ? 'none' : 'core service';
}

/** Opens the entitlement source: a function of the host app if it has one, else the core service. */
export function openEntitlements({
  settings: { coreService },
  entitlementsFunction,
  observer,
  tracer,
  companyNames,
}: EntitlementsParts): EntitlementSource {
  const source = entitlementsFunction
    ? new StaticEntitlements(entitlementsFunction, coreService)
    : new HttpEntitlements({ ...coreService, apiKey: coreService.apiKey?.reveal(), tracer });
  const observed = new ObservedEntitlements(source, observer);
  return new SharedEntitlements(companyNames ? companyNames.learningFrom(observed) : observed, {
    cacheTtl: coreService.entitlementsCacheTtl,
  });
}
