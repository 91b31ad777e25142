import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { BROWSERS } from '../../tools/build/pages-bundle.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export interface BrowserBundle {
  /** Packages that the bundle leaves out. */
  external?: string[];
}

/** Returns a file of the repository with everything that it imports, as one minified module for browsers. */
export async function bundleForBrowsers(
  file: string,
  { external = [] }: BrowserBundle = {},
): Promise<string> {
  // Inside the repository, since the bundler looks for packages from there.
  const outDir = await mkdtemp(join(REPOSITORY, 'node_modules', '.cache', 'bundle-'));
  try {
    await build({
      entry: { bundle: join(REPOSITORY, file) },
      outDir,
      format: 'esm',
      target: BROWSERS,
      platform: 'browser',
      tsconfig: join(REPOSITORY, 'packages/client/src/tsconfig.json'),
      external,
      noExternal: [external.length > 0 ? new RegExp(`^(?!(?:${external.join('|')})$)`) : /./],
      minify: true,
      splitting: false,
      dts: false,
      config: false,
      silent: true,
      env: { NODE_ENV: 'production' },
      esbuildOptions: (options) => {
        options.conditions = ['latchkey-source', 'browser'];
      },
    });
    const [name = ''] = (await readdir(outDir)).filter((each) => /\.m?js$/.test(each));
    return await readFile(join(outDir, name), 'utf8');
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
