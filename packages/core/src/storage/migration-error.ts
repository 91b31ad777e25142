/**
 * The schema and the migration files do not match. The message names the file and how to fix it.
 * @example
 * ```ts
 * const isOurs = (error: unknown): boolean => error instanceof MigrationError;
 * isOurs(new PendingMigrationsError(['0012_invitations.sql'])); // → true
 * ```
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/**
 * The schema lacks migrations; the only mismatch that running the migrations fixes.
 * @example
 * ```ts
 * const error = new PendingMigrationsError(['0012_invitations.sql']);
 * error.message; // → 'The database lacks 0012_invitations.sql. Run the migrations.'
 * ```
 */
export class PendingMigrationsError extends MigrationError {
  /** Names of the files that were not applied, in order. */
  readonly pending: readonly string[];

  constructor(pending: readonly string[]) {
    super(`The database lacks ${pending.join(', ')}. Run the migrations.`);
    this.pending = pending;
  }
}
