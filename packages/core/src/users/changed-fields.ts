/**
 * Returns the names of the fields that a patch sets; values are personal and not written to the audit log.
 */
export const changedFields = (patch: object): string[] =>
  Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
