import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installedCore } from '../installed-core.js';

const NAME = 'password-worker.js';

/**
 * Returns the URL of the worker file: `beside` the calling code, or in the installed package if a bundler has moved that
 * code.
 * @throws Error with instructions if neither file exists.
 */
export function passwordWorkerFile(beside: URL): URL {
  if (existsSync(beside)) return beside;
  const installed = installedCore(beside.href);
  if (installed !== undefined && existsSync(join(installed, NAME))) {
    return pathToFileURL(join(installed, NAME));
  }
  throw new Error(
    `${fileURLToPath(beside)} is missing: a bundler has left it out. Copy it beside your bundle ` +
      `(cp node_modules/@latchkey/core/dist/${NAME} dist/), or leave @latchkey/core out of the bundle ` +
      '(esbuild: --packages=external).',
  );
}
