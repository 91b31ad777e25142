import { readdirSync, readFileSync } from 'node:fs';

/** The packages that import modules of the core by themselves. */
const FOLDERS = ['packages/operations/src', 'packages/testing/src'];

/** A statement that is still there after compilation, and imports a module of the core. */
const IMPORT =
  /(?:^(?:import|export) (?!type\b)[^;]*?from |\bimport\()'@latchkey\/core\/internal\/([^']+)'/gm;

/**
 * Returns the modules of the core that Latchkey's other packages import as `@latchkey/core/internal/…`, by the name of the file
 * that the build makes of each. The code stays in the chunks that the entries share, so no class is there twice.
 */
export function internalModules(): Record<string, string> {
  const imported = FOLDERS.flatMap(sourcesIn).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name = '']) => name),
  );
  return Object.fromEntries(
    [...new Set(imported)].sort().map((name) => [name, `packages/core/src/${name}.ts`]),
  );
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`);
