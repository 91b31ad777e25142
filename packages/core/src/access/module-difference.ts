/** What changes for somebody between two sets of modules. */
export interface ModuleDifference {
  gained: string[];
  lost: string[];
}

/** In the order of the sets. */
export const moduleDifference = (before: readonly string[], after: readonly string[]): ModuleDifference => ({
  gained: after.filter((moduleKey) => !before.includes(moduleKey)),
  lost: before.filter((moduleKey) => !after.includes(moduleKey)),
});
