import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface ScriptOptions {
  nodeOptions?: readonly string[];
  env?: Record<string, string>;
}

/** Runs a TypeScript file in a process of its own, from the sources, and returns its standard output. */
export async function runScript(script: URL, { nodeOptions = [], env }: ScriptOptions = {}): Promise<string> {
  const flags = ['--conditions=latchkey-source', '--import', 'tsx', ...nodeOptions];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, fileURLToPath(script)], {
    // Flags name packages, which are found from there.
    cwd: fileURLToPath(new URL('.', script)),
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
