import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './repository-files.mjs';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];

/**
 * Installs the packages of a folder that is no workspace, unless they are installed: as locked, or without a lock file in
 * the exact versions of its package.json.
 * @param folder from the repository's root
 * @param what names the packages in the message
 * @throws Error if npm fails
 */
export function installFolder(folder, what) {
  const at = path.join(root, folder);
  if (isInstalled(at)) return;
  console.error(`Installing ${what} into ${folder}/node_modules …`);
  const [command, ...options] = lockOf(at) ? ['ci'] : ['install', '--no-package-lock'];
  const { status } = spawnSync('npm', [command, ...options, ...QUIET], { cwd: at, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`npm ${command} failed in ${folder}. It needs access to the npm registry.`);
}

/** Returns the packages that the package.json of a folder names, with their versions. */
export function directVersions(folder) {
  const { dependencies, devDependencies } = readJson(path.join(root, folder, 'package.json'));
  return { ...dependencies, ...devDependencies };
}

/** Returns those of the packages that are not installed below `at` in the version they are named with. */
export function notInstalled(versions, at) {
  const installed = installedAt(at);
  return Object.keys(versions).filter(
    (name) => installed[`node_modules/${name}`]?.version !== versions[name],
  );
}

function isInstalled(at) {
  if (notInstalled(directVersions(path.relative(root, at)), at).length > 0) return false;
  const locked = lockOf(at);
  return (
    !locked ||
    Object.entries(installedAt(at)).every(([place, { version }]) => locked[place]?.version === version)
  );
}

/** What npm has recorded as installed. */
const installedAt = (at) => packagesOf(path.join(at, 'node_modules/.package-lock.json')) ?? {};

const lockOf = (at) => packagesOf(path.join(at, 'package-lock.json'));

const packagesOf = (file) => (fs.existsSync(file) ? readJson(file).packages : undefined);

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
