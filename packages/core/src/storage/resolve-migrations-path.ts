import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationError } from './migration-error.js';

/**
 * The folder of migrations: as configured, relative to the working directory, when it holds `.sql` files; else the
 * one shipped with this package. Throws MigrationError when there is neither.
 */
export function resolveMigrationsDirectory(configured: string): string {
  const own = resolve(configured);
  if (sqlFilesOf(own).length > 0) return own;
  const shipped = findShippedMigrations(dirname(fileURLToPath(import.meta.url)));
  if (shipped !== undefined) return shipped;
  throw new MigrationError(`There are no .sql files in ${own}, nor with the package. Check MIGRATIONS_PATH.`);
}

/**
 * The nearest `migrations` folder at or above `start` that is ours, which its `…_users.sql` tells: the root of the
 * repository has it, and so has the published package.
 */
export function findShippedMigrations(start: string): string | undefined {
  const candidate = join(start, 'migrations');
  if (sqlFilesOf(candidate).some((file) => file.endsWith('_users.sql'))) return candidate;
  const parent = dirname(start);
  return parent === start ? undefined : findShippedMigrations(parent);
}

function sqlFilesOf(directory: string): string[] {
  try {
    return readdirSync(directory).filter((file) => file.endsWith('.sql'));
  } catch {
    return [];
  }
}
