import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from './repository-files.mjs';

const VITEST = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs the suite, and returns whether it passed.
 * @param args filters and options of Vitest.
 * @param options `node`: the program, by default the one at hand; `env`: variables beside those of this process.
 */
export async function runVitest(args, { node = process.execPath, env = {} } = {}) {
  const child = spawn(node, [VITEST, 'run', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const [code, signal] = await once(child, 'exit');
  if (signal !== null) console.log(`\nVitest was ended by ${signal}.`);
  return code === 0;
}
