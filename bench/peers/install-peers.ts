import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** npm's record of what is installed in a folder. */
const INSTALLED = `${FOLDER}node_modules/.package-lock.json`;
const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];

interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

/**
 * Installs the libraries in their locked versions, unless they are installed.
 * @throws Error if npm fails.
 */
export function installPeers(): void {
  if (areInstalled()) return;
  console.error('Installing the libraries to compare with into bench/peers/node_modules, about 45 MB …');
  const { status } = spawnSync('npm', NPM_CI, { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm ci failed in bench/peers. It needs access to the npm registry.');
}

/** Returns the libraries under comparison and their locked versions. */
export function peerVersions(): Record<string, string> {
  return readLock(`${FOLDER}package-lock.json`).packages['']?.dependencies ?? {};
}

function areInstalled(): boolean {
  if (!existsSync(INSTALLED)) return false;
  const wanted = readLock(`${FOLDER}package-lock.json`).packages;
  const installed = readLock(INSTALLED).packages;
  const isCurrent = Object.entries(installed).every(([at, { version }]) => wanted[at]?.version === version);
  return isCurrent && Object.keys(peerVersions()).every((name) => installed[`node_modules/${name}`]);
}

const readLock = (file: string): Lock => JSON.parse(readFileSync(file, 'utf8')) as Lock;
