/** The access policies that a company may be under; `AccessPolicyMode` describes each. */
export const ACCESS_POLICY_MODES = ['ENFORCED', 'LEGACY', 'SHADOW'] as const;
/**
 * The rule by which members of a company get their modules: by rules (`ENFORCED`), by a list of grants
 * (`LEGACY`), or by the list while the rules are compared in the background (`SHADOW`).
 */
export type AccessPolicyMode = (typeof ACCESS_POLICY_MODES)[number];

/** The upper limit of a company's access, whatever its members were granted. */
export interface Entitlements {
  modules: ReadonlySet<string>;
  accessPolicyMode: AccessPolicyMode;
  /** Undefined: permissions are not limited by the company. */
  permissions: ReadonlySet<string> | undefined;
  /** True if members must sign in with a second factor. */
  requireSecondFactor: boolean;
  /** Undefined if the source gives none. */
  name?: string | undefined;
}

/** A source of entitlements. */
export interface EntitlementSource {
  /**
   * Returns the entitlements of a company, which is named by its UUID.
   * @throws AuthError `forbidden` for a company that is unknown there, `service_unavailable` for every other
   * failure: a failure never widens access.
   */
  fetch(companyId: string): Promise<Entitlements>;
}
