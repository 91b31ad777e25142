// What a tarball holds beside its own folder, there for the length of a pack: node ../../tools/packages/pack-extras.mjs [--remove]
//
// The license, the changelog and the migrations live once, at the root of the repository. Runs in the folder of the package.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
// The server's program has the core inside, so it brings the migrations of that core.
const migrates = ['core', 'server'].includes(path.basename(process.cwd()));
const extras = ['LICENSE', 'CHANGELOG.md', ...(migrates ? ['migrations'] : [])];

for (const extra of extras) {
  rmSync(extra, { recursive: true, force: true });
  if (process.argv[2] !== '--remove') cpSync(path.join(root, extra), extra, { recursive: true });
}
