import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';

const VITEST = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs the suite with the Node of a folder, and returns whether it passed. The folder comes first on the path, because shells
 * in tests start `node` by its name.
 */
export async function runSuite(folder, args) {
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}` };
  const node = path.join(folder, 'node');
  const child = spawn(node, [VITEST, 'run', ...args], { cwd: root, env, stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  if (signal !== null) console.log(`\nVitest was ended by ${signal}.`);
  return code === 0;
}
