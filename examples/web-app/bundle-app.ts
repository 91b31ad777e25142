import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const EXAMPLES = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the script of an example, by the name of its folder. A real app has a build of its own; any bundler that knows JSX will do. */
export async function bundleApp(name: 'web-app' | 'company-app'): Promise<string> {
  const outDir = `${ROOT}node_modules/.cache/${name}`;
  await mkdir(outDir, { recursive: true });
  await build({
    entry: { app: `${EXAMPLES}${name}/app/main.tsx` },
    tsconfig: `${EXAMPLES}${name}/app/tsconfig.json`,
    outDir,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    noExternal: [/./],
    minify: true,
    splitting: false,
    dts: false,
    config: false,
    silent: true,
    env: { NODE_ENV: 'production' },
    outExtension: () => ({ js: '.js' }),
    // In this repository the packages are read from their sources.
    esbuildOptions: (options) => void (options.conditions = ['latchkey-source']),
  });
  return readFile(`${outDir}/app.js`, 'utf8');
}
