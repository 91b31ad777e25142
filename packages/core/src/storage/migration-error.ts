/** The schema and the migration files do not fit together. The message names the file and how to mend it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
