import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedCore } from '../installed-core.js';
import { MigrationError } from './migration-error.js';
import { normalisedSql } from './migration-file.js';

/**
 * Returns the folder of migrations: the configured one, relative to the working directory, if it holds
 * Latchkey's; else the one shipped with this package, which the module at `from` is part of or has installed.
 * If neither is available for the comparison, any configured folder with `.sql` files is used. Throws
 * MigrationError if there is none.
 */
export function resolveMigrationsDirectory(configured: string, from: string = import.meta.url): string {
  const own = resolve(configured);
  const installed = installedCore(from);
  const shipped =
    findShippedMigrations(dirname(fileURLToPath(from))) ?? (installed && findShippedMigrations(installed));
  if (shipped === undefined) {
    if (sqlFilesOf(own).length > 0) return own;
    throw new MigrationError(
      `There are no .sql files in ${own}, nor with the package. Check MIGRATIONS_PATH. A bundler leaves them out: copy ` +
        'them beside your bundle (cp -r node_modules/@latchkey/core/migrations dist/).',
    );
  }
  return holdsSameFirstFile(own, shipped) ? own : shipped;
}

/**
 * Returns true if both folders begin with the same file, which never changes once released. The default of
 * `MIGRATIONS_PATH` is a name that host apps use for migrations of their own, and those must not be applied.
 */
function holdsSameFirstFile(own: string, shipped: string): boolean {
  const [first] = sqlFilesOf(shipped).sort();
  return first !== undefined && textOf(own, first) === textOf(shipped, first);
}

function textOf(directory: string, file: string): string | undefined {
  try {
    return normalisedSql(readFileSync(join(directory, file), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the nearest `migrations` folder at or above `start` that is ours, recognised by its `…_users.sql`:
 * the root of the repository has it, and so has the published package.
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
