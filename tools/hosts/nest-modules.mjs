import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inFolder } from '../packages/newcomer.mjs';

const VITEST_CONFIG = `export default {
  test: { globals: true, include: ['src/**/*.spec.ts'], hookTimeout: 60_000 },
};
`;

/** Makes ES modules of the app, with the changes that the page names, compiles it and runs its test in Vitest. */
export async function testAsModules({ folder, env }) {
  const change = (file, edit) => {
    const target = path.join(folder, file);
    writeFileSync(target, edit(readFileSync(target, 'utf8')));
  };
  change('package.json', (text) => JSON.stringify({ ...JSON.parse(text), type: 'module' }));
  for (const file of readdirSync(path.join(folder, 'src')))
    change(`src/${file}`, (text) => text.replaceAll(/from '(\.\/[\w.]+)'/g, "from '$1.js'"));
  writeFileSync(path.join(folder, 'vitest.config.js'), VITEST_CONFIG);
  rmSync(path.join(folder, 'dist'), { recursive: true });
  await inFolder(folder, 'npx', ['tsc']);
  await inFolder(folder, 'npx', ['vitest', 'run'], env);
}
