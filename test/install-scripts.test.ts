import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));

const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> };

/** Returns where npm finds a dependency of a package: in its own folder, or in one further up. */
function locationOf(name: string, from: string): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$|^packages\/[^/]+$/, '')
  ) {
    const location = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[location]) return location;
    if (folder === '') return undefined;
  }
}

/** Returns every package that an installation of these has, with the required and the optional dependencies. */
function installed(roots: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...roots];
  for (let location = open.pop(); location !== undefined; location = open.pop()) {
    if (found.has(location)) continue;
    found.add(location);
    const { dependencies = {}, optionalDependencies = {} } = packages[location] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = locationOf(name, location);
      if (next !== undefined) open.push(next);
    }
  }
  return found;
}

// pnpm ends with an error for a dependency with an install script that the project has not decided on.
it('no dependency of a published package has an install script', () => {
  const roots = readdirSync(new URL('../packages', import.meta.url)).map((name) => `packages/${name}`);
  const all = [...installed(roots)];
  expect(all).toContain('node_modules/@node-rs/argon2');
  expect(all.filter((location) => packages[location]?.hasInstallScript === true)).toEqual([]);
});
