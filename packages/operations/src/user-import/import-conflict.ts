/** What an import does with an entry whose email a user has. */
export const IMPORT_CONFLICTS = ['skip', 'update', 'fail'] as const;
