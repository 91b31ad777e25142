import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inFolder } from '../packages/newcomer.mjs';
import { root } from '../shared/repository-files.mjs';

const FOLDER = path.join(root, 'test/hosts');

/**
 * Creates a folder like an adopter's: the packages of the recipe in the locked versions, and the packed packages of
 * this repository.
 */
export async function install({ name, packages }, tarballs, scratch) {
  const folder = mkdtempSync(path.join(scratch, `${name}-`));
  cpSync(path.join(FOLDER, name), folder, { recursive: true });
  const ours = packages.map((one) => tarballs.get(one));
  const options = ['--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error'];
  await inFolder(folder, 'npm', ['install', ...options, ...ours]);
  assertLockKept(name, folder);
  return folder;
}

/** Throws if npm ignored the lock file and installed other versions. */
function assertLockKept(name, folder) {
  const lock = (place) => JSON.parse(readFileSync(path.join(place, 'package-lock.json'), 'utf8')).packages;
  const wanted = lock(path.join(FOLDER, name));
  const installed = JSON.parse(
    readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  ).packages;
  const direct = Object.keys({ ...wanted[''].dependencies, ...wanted[''].devDependencies });
  const moved = direct
    .map((each) => `node_modules/${each}`)
    .filter((at) => installed[at]?.version !== wanted[at]?.version);
  if (moved.length > 0) throw new Error(`installed in other versions than locked: ${moved.join(', ')}`);
}
