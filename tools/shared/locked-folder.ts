import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];

interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

/**
 * Installs the packages of a folder that has a lock file of its own, in their locked versions, unless they are installed.
 * @param folder from the repository's root
 * @param what names the packages in the message
 * @throws Error if npm fails
 */
export function installLocked(folder: string, what: string): void {
  if (isInstalled(folder)) return;
  console.error(`Installing ${what} into ${folder}/node_modules …`);
  const { status } = spawnSync('npm', NPM_CI, { cwd: ROOT + folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}. It needs access to the npm registry.`);
}

/** Returns the packages that a folder names, and their locked versions. */
export function lockedVersions(folder: string): Record<string, string> {
  return readLock(`${ROOT}${folder}/package-lock.json`).packages['']?.dependencies ?? {};
}

function isInstalled(folder: string): boolean {
  // npm's record of what is installed in a folder.
  const record = `${ROOT}${folder}/node_modules/.package-lock.json`;
  if (!existsSync(record)) return false;
  const wanted = readLock(`${ROOT}${folder}/package-lock.json`).packages;
  const installed = readLock(record).packages;
  const isCurrent = Object.entries(installed).every(([at, { version }]) => wanted[at]?.version === version);
  return isCurrent && Object.keys(lockedVersions(folder)).every((name) => installed[`node_modules/${name}`]);
}

const readLock = (file: string): Lock => JSON.parse(readFileSync(file, 'utf8')) as Lock;
