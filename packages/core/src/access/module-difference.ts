/** The change of a user's modules between two sets. */
export interface ModuleDifference {
  gained: string[];
  lost: string[];
}

/** Returns the difference, in the order of the sets. */
export const moduleDifference = (before: readonly string[], after: readonly string[]): ModuleDifference => ({
  gained: after.filter((moduleKey) => !before.includes(moduleKey)),
  lost: before.filter((moduleKey) => !after.includes(moduleKey)),
});
