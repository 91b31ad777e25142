import { cpSync } from 'node:fs';
import { build, defineConfig, type Options } from 'tsup';
import { internalModules } from './tools/build/internal-modules.js';
import { BROWSERS, buildPages } from './tools/build/pages-bundle.js';
import { serverBundle } from './tools/build/server-bundle.js';

/** One bundle per package; declarations come from `tsc -b`, which is faster and checks more. */
const bundle = (name: string, entry: Record<string, string>): Options => ({
  name,
  entry,
  outDir: `packages/${name}/dist`,
  tsconfig: `packages/${name}/tsconfig.json`,
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: false,
  skipNodeModulesBundle: true,
  clean: true,
});

export default defineConfig([
  bundle('core', {
    index: 'packages/core/src/index.ts',
    keys: 'packages/core/src/keys.ts',
    names: 'packages/core/src/names.ts',
    schemas: 'packages/core/src/schemas.ts',
    settings: 'packages/core/src/settings.ts',
    'password-worker': 'packages/core/src/passwords/password-worker.js',
    ...internalModules(),
  }),
  bundle('http', {
    index: 'packages/http/src/index.ts',
    internal: 'packages/http/src/internal.ts',
    node: 'packages/http/src/node.ts',
  }),
  bundle('express-adapter', { index: 'packages/express-adapter/src/index.ts' }),
  bundle('testing', {
    index: 'packages/testing/src/index.ts',
    'embedded-postgres': 'packages/testing/src/embedded-postgres.ts',
  }),
  bundle('operations', {
    index: 'packages/operations/src/index.ts',
    keys: 'packages/operations/src/keys.ts',
    names: 'packages/operations/src/names.ts',
  }),
  {
    ...bundle('pages', {
      index: 'packages/pages/src/index.ts',
      internal: 'packages/pages/src/internal.ts',
    }),
    // After the package itself, whose build empties the folder.
    onSuccess: async () => {
      await buildPages();
    },
  },
  {
    ...bundle('server', { index: 'packages/server/src/index.ts' }),
    onSuccess: async () => {
      await build({ ...serverBundle, config: false, silent: true });
      // The viewer of /docs travels inside the package: as a dependency it would bring an analytics script along.
      for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
        cpSync(`node_modules/swagger-ui-dist/${file}`, `packages/server/dist/docs-viewer/${file}`);
      }
      cpSync('packages/server/src/public', 'packages/server/dist/public', { recursive: true });
    },
  },
  bundle('cli', { main: 'packages/cli/src/main.ts' }),
  {
    ...bundle('verifier', {
      index: 'packages/verifier/src/index.ts',
      express: 'packages/verifier/src/express.ts',
    }),
    // It also runs where there are no built-in modules of Node.
    platform: 'neutral',
  },
  {
    ...bundle('client', {
      index: 'packages/client/src/index.ts',
      components: 'packages/client/src/components.ts',
      react: 'packages/client/src/react.ts',
      server: 'packages/client/src/server.ts',
    }),
    target: BROWSERS,
    platform: 'browser',
    onSuccess: () => {
      cpSync('packages/client/src/components.css', 'packages/client/dist/components.css');
      return Promise.resolve();
    },
  },
]);
