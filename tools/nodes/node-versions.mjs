import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';

/** The version of each major beside the one that the repository is developed on. */
export const NODES = { 22: '22.23.3', 24: '24.21.0' };

/**
 * Installs a version of Node from its npm package, once, and returns it with the folder of its program. A folder for each
 * major keeps all versions installed at the same time.
 * @throws Error if the package cannot be installed, with what npm says
 */
export function installNode(major) {
  const version = NODES[major];
  const cache = path.join(root, 'node_modules', '.cache', 'nodes', major);
  const folder = path.join(cache, 'node_modules', 'node', 'bin');
  if (versionIn(folder) !== version) {
    console.log(`Installing Node ${version} …`);
    install(version, cache);
  }
  if (versionIn(folder) !== version) {
    throw new Error(`Node ${version} was installed but does not start: remove ${cache} and try again.`);
  }
  return { version, folder };
}

function versionIn(folder) {
  const { status, stdout } = spawnSync(path.join(folder, 'node'), ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().slice(1) : undefined;
}

/** Installs with the scripts of the package: one of them fetches the program of this platform. */
function install(version, cache) {
  fs.mkdirSync(cache, { recursive: true });
  const manifest = { private: true, allowScripts: { node: true } };
  fs.writeFileSync(path.join(cache, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', `node@${version}`];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: cache, encoding: 'utf8' });
  if (status === 0) return;
  const reason = (error?.message ?? stderr).trim();
  throw new Error(`Node ${version} cannot be installed; check that npm reaches its registry.\n${reason}`);
}
