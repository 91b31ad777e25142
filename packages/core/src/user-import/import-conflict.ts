/**
 * What an import does with an entry whose email a user has.
 * @example
 * ```ts
 * IMPORT_CONFLICTS.includes('update'); // → true
 * ```
 */
export const IMPORT_CONFLICTS = ['skip', 'update', 'fail'] as const;
