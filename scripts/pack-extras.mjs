// What a tarball holds beside its own folder, there for the length of a pack: node ../../scripts/pack-extras.mjs [--remove]
//
// The license and the migrations live once, at the root of the repository. Runs in the folder of the package.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCore = path.basename(process.cwd()) === 'core';
const extras = isCore ? ['LICENSE', 'migrations'] : ['LICENSE'];

for (const extra of extras) {
  rmSync(extra, { recursive: true, force: true });
  if (process.argv[2] !== '--remove') cpSync(path.join(root, extra), extra, { recursive: true });
}
