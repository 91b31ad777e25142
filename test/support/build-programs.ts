import { readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { recordInputs } from '../../tools/build/bundle-inputs.js';
import { PAGES_FOLDER } from '../../tools/build/pages-bundle.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

const ENTRIES = {
  'cheap-passwords-server': 'test/support/cheap-passwords-server.ts',
  'embedded-postgres': 'packages/testing/src/embedded-postgres/embedded-postgres.ts',
  'end-at-change': 'test/support/end-at-change.ts',
  latchkey: 'packages/cli/src/main.ts',
  'latchkey-server': 'packages/server/src/main.ts',
  'operator-scripts': 'examples/operator-scripts/main.ts',
  'password-worker': 'packages/core/src/passwords/password-worker.js',
  'rotation-step': 'test/support/rotation-step.ts',
  testing: 'packages/testing/src/index.ts',
};

/** A program that tests run in a process of its own. */
export type Program = keyof typeof ENTRIES;

/** Returns the folder of bundled programs. It is inside `node_modules`, so that packages are found from there. */
export const programsFolder = (name: string): string => join(REPOSITORY, 'node_modules', '.cache', name);

/**
 * Bundles the sources of every program, once a run, and returns the files that go into them. A process then starts in a
 * third of the time that it needs when it compiles each module.
 */
export async function buildPrograms(outDir: string): Promise<string[]> {
  const inputs = new Set<string>();
  await build({
    entry: ENTRIES,
    outDir,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    skipNodeModulesBundle: true,
    noExternal: [/^@latchkey\//, ...nestedPackages()],
    esbuildPlugins: [recordInputs(inputs)],
    esbuildOptions: (options) => {
      options.conditions = ['latchkey-source'];
      // Errors are recognized by the name of their class.
      options.keepNames = true;
    },
    // CommonJS that was bundled calls it.
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
    },
    dts: false,
    config: false,
    silent: true,
  });
  await cp(join(REPOSITORY, PAGES_FOLDER), join(outDir, 'browser'), { recursive: true });
  return [...inputs];
}

export const removePrograms = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** Packages in a workspace's own `node_modules`, where only that workspace finds them. */
function nestedPackages(): string[] {
  const lock = readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, unknown> };
  return Object.keys(packages).flatMap(
    (place) => /^packages\/[^/]+\/node_modules\/(.+)$/.exec(place)?.[1] ?? [],
  );
}
