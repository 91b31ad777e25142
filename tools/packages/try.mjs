// What is published, tried as those who install it will: packs each package, looks at the tarballs (publint, attw, what
// is in them), installs them into an empty folder outside the repository, and runs an app there that embeds them, from
// ES modules and from CommonJS, its TypeScript compiler over it, and the quick start, block by block: `npm run packages:try`,
// which builds first. Run by `.ci/run`.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { take } from '../tour/take.mjs';
import { QUICK_START } from '../tour/tours.mjs';
import { faultsOf } from './inspect.mjs';
import { inFolder, installInto } from './newcomer.mjs';
import { NAMES, pack } from './packages.mjs';

const scratch = mkdtempSync(path.join(os.tmpdir(), 'latchkey-packages-'));

/** Each is run by itself in the newcomer's folder. */
const TRIALS = [
  ['the types compile', ['npx', 'tsc', '-p', 'tsconfig.json']],
  ['require() works', ['node', 'plain.cjs']],
  ['an app that embeds the service works', ['node', 'built/app.js']],
  ['the client works with the service', ['node', 'built/client.js']],
  ['a second copy of the core is understood', ['node', 'two-copies.mjs']],
  ['latchkey-server serves', ['node', 'service-starts.mjs']],
  ['the commands start', ['npx', 'latchkey', '--version']],
];

try {
  const packed = NAMES.map((name) => pack(name, scratch));
  for (const { name, files } of packed) console.log(`@latchkey/${name}: ${files.length} files`);
  const faults = (await Promise.all(packed.map(faultsOf))).flat();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  console.log('publint and attw: nothing to say');
  const folder = mkdtempSync(path.join(scratch, 'app-'));
  await installInto(
    folder,
    packed.map(({ tarball }) => tarball),
  );
  for (const [what, [program, ...args]] of TRIALS) {
    await inFolder(folder, program, args);
    console.log(what);
  }
  const count = await take(QUICK_START, folder);
  console.log(`${QUICK_START.file}: ${count} blocks did what they say, with the installed packages`);
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
