import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installFolder } from '../shared/installed-folder.mjs';
import { root } from '../shared/repository-files.mjs';

const FOLDER = 'test/bindings/next';

/**
 * Installs and builds the app of Next.js in which the tests serve the routes.
 * @throws Error if one of both fails
 */
export function buildNextApp() {
  installFolder(FOLDER, 'Next.js');
  const cwd = path.join(root, FOLDER);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  const next = path.join(cwd, 'node_modules/next/dist/bin/next');
  const { status } = spawnSync(process.execPath, [next, 'build'], { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`next build failed in ${FOLDER}.`);
}
