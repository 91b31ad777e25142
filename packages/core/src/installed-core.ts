import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/**
 * Returns the folder with the built code of the installed package, seen from the module at `from`. A bundler
 * moves code away from the files that belong to it; in that folder they still exist. Undefined if the package
 * is not installed.
 */
export function installedCore(from: string): string | undefined {
  try {
    return dirname(createRequire(from).resolve('@latchkey/core'));
  } catch {
    return undefined;
  }
}
