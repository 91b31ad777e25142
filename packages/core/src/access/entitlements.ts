/**
 * The access policies that a company may be under; `AccessPolicyMode` describes each.
 * @example
 * ```ts
 * const isMode = (text: string): boolean => ACCESS_POLICY_MODES.some((mode) => mode === text);
 * isMode('SHADOW'); // → true
 * ```
 */
export const ACCESS_POLICY_MODES = ['ENFORCED', 'LEGACY', 'SHADOW'] as const;
/**
 * How a company's members come to their modules: by rules (`ENFORCED`), by a list of grants (`LEGACY`), or by the list
 * while the rules are compared in the background (`SHADOW`).
 * @example
 * ```ts
 * const mode: AccessPolicyMode = 'SHADOW';
 * const { id } = await kit.company({ modules: ['billing'], mode });
 * const admin = await kit.user({ globalRole: 'PLATFORM_ADMIN' });
 * const { metadata } = await kit.auth.access.resolveOf(admin.id, id);
 * metadata.accessPolicyMode; // → 'SHADOW'
 * ```
 */
export type AccessPolicyMode = (typeof ACCESS_POLICY_MODES)[number];

/** What a company may use at most, whatever its members were granted. */
export interface Entitlements {
  modules: ReadonlySet<string>;
  accessPolicyMode: AccessPolicyMode;
  /** Undefined: permissions are not limited by the company. */
  permissions: ReadonlySet<string> | undefined;
}

/** Where entitlements come from. */
export interface EntitlementSource {
  /**
   * The entitlements of a company, which is named by its UUID.
   * @throws AuthError `forbidden` for a company that is not known there, `service_unavailable` for everything else
   * that goes wrong: a failure never widens what somebody may use.
   */
  fetch(companyId: string): Promise<Entitlements>;
}
