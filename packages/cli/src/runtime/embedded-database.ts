import { CommandError, EXIT } from './failure.js';

/**
 * Returns the URL of the embedded database if a service runs here without `DATABASE_URL`.
 * @throws CommandError if it belongs to another account.
 */
export async function findEmbeddedDatabase(dataDir: string): Promise<string | undefined> {
  const { readEmbeddedPostgres } = await import('@latchkey/testing/embedded-postgres');
  try {
    return readEmbeddedPostgres(dataDir)?.url;
  } catch {
    throw new CommandError(
      EXIT.unreachable,
      `The database of the service in ${dataDir} cannot be used by this account.`,
      'Run the command as the user who started the service, or set DATABASE_URL.',
    );
  }
}
