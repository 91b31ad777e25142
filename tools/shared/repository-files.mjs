import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Folders that hold what is made, fetched or private: not searched. */
const PASSED_OVER = new Set(['.git', 'node_modules', 'dist', 'coverage', '.latchkey', '.env']);

/**
 * The files of the repository, from its root: what git has or would take. A folder without git (an unpacked archive)
 * is walked instead.
 */
export function repositoryFiles() {
  // A checkout may belong to another account than the one that checks it.
  const options = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', options, { cwd: root, encoding: 'utf8' });
  const files = status === 0 ? stdout.split('\0').filter((file) => file !== '') : walk('');
  return files.filter((file) => fs.existsSync(path.join(root, file))).sort();
}

export const readText = (file) => fs.readFileSync(path.join(root, file), 'utf8');

function walk(folder) {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .filter(({ name }) => !PASSED_OVER.has(name))
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? walk(file) : [file];
    });
}
