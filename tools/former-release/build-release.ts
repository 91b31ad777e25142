import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';
import { workspaceModules } from '../shared/workspace-modules.js';

const BUILT = 'packages/server/dist/main.js';

/**
 * Builds the service of a commit in the folder, from the history of this repository. A folder in which that was done
 * before is used as it is.
 * @returns the folder of the repository at that commit. @throws Error with the output of the step that failed.
 */
export function buildRelease(commit: string, parent: string): string {
  const folder = path.join(parent, commit);
  if (fs.existsSync(path.join(folder, BUILT))) return folder;
  fs.mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  run(root, 'git', ['-c', 'safe.directory=*', 'archive', '--output', archive, commit]);
  run(root, 'tar', ['-xf', archive, '-C', folder]);
  fs.rmSync(archive);
  if (hasSameLock(folder)) linkPackages(folder);
  else run(folder, 'npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']);
  run(folder, path.join(folder, 'node_modules/.bin/tsup'), ['--silent']);
  return folder;
}

const hasSameLock = (folder: string): boolean => {
  const [ours, theirs] = [root, folder].map((each) => fs.readFileSync(path.join(each, 'package-lock.json')));
  return ours !== undefined && theirs !== undefined && ours.equals(theirs);
};

/**
 * Links the installed packages one by one. The folder as a whole would bring the packages of this version along, which
 * are linked in it too.
 */
function linkPackages(folder: string): void {
  for (const modules of ['node_modules', ...workspaceModules()]) {
    const [from, to] = [path.join(root, modules), path.join(folder, modules)];
    fs.mkdirSync(to, { recursive: true });
    for (const name of fs.readdirSync(from)) {
      if (name !== '@latchkey' && name !== '.cache')
        fs.symlinkSync(path.join(from, name), path.join(to, name));
    }
  }
  fs.mkdirSync(path.join(folder, 'node_modules/@latchkey'));
  for (const name of fs.readdirSync(path.join(root, 'node_modules/@latchkey'))) {
    fs.symlinkSync(`../../packages/${name}`, path.join(folder, 'node_modules/@latchkey', name));
  }
}

function run(folder: string, program: string, words: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${program} ${words.join(' ')}\n${error?.message ?? (stdout + stderr).slice(-4000)}`);
}
