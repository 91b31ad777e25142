import { cpSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { inFolder } from '../packages/newcomer.mjs';
import { directVersions, notInstalled } from '../shared/installed-folder.mjs';
import { root } from '../shared/repository-files.mjs';

const FOLDER = 'test/hosts';

/**
 * Creates a folder like an adopter's: the packages of the recipe in its versions, and the packed packages of this
 * repository.
 */
export async function install({ name, packages }, tarballs, scratch) {
  const folder = mkdtempSync(path.join(scratch, `${name}-`));
  cpSync(path.join(root, FOLDER, name), folder, { recursive: true });
  const ours = packages.map((one) => tarballs.get(one));
  const options = ['--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error'];
  await inFolder(folder, 'npm', ['install', ...options, ...ours]);
  const moved = notInstalled(directVersions(path.join(FOLDER, name)), folder);
  if (moved.length > 0) throw new Error(`installed in other versions than named: ${moved.join(', ')}`);
  return folder;
}
