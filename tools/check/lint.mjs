// Lints the files of the repository in several processes: `node tools/check/lint.mjs [--fix]`.
//
// Rules that ask for types keep the types of all files they have seen. One process for the whole repository needs more
// memory than Node gives it.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { repositoryFiles, root } from '../shared/repository-files.mjs';

/** About 2 GB of types. */
const FILES_PER_PROCESS = 400;

const eslint = path.join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
const options = ['--no-warn-ignored', ...process.argv.slice(2)];
const files = repositoryFiles().filter((file) => /\.(ts|tsx|mts|js|mjs)$/.test(file));

function lint(part) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [eslint, ...options, ...part], { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal !== null) console.error(`eslint was ended by ${signal} at ${part[0]} to ${part.at(-1)}`);
      if (code !== 0) process.exitCode = 1;
      resolve();
    });
  });
}

async function lintNext() {
  for (
    let part = files.splice(0, FILES_PER_PROCESS);
    part.length > 0;
    part = files.splice(0, FILES_PER_PROCESS)
  ) {
    await lint(part);
  }
}

await Promise.all(Array.from({ length: Math.min(os.availableParallelism(), 4) }, lintNext));
