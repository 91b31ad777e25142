import type { Options } from 'tsup';
import { bundledLicenses } from './bundled-licenses.js';

const SOURCE = 'packages/express-adapter/src/pages/browser';

/** The oldest browsers that the pages and the client support. */
export const BROWSERS = ['es2022', 'chrome111', 'firefox115', 'safari16.4'];

/** The scripts and the style of the pages: each script whole in one file with the client, since a page needs exactly one. */
export const pagesBundle: Options = {
  name: 'pages',
  entry: [
    'login.ts',
    'accept-invitation.ts',
    'reset-password.ts',
    'verify-email.ts',
    'mailed-link.ts',
    'pages.css',
  ].map((file) => `${SOURCE}/${file}`),
  outDir: 'packages/express-adapter/dist/browser',
  tsconfig: `${SOURCE}/tsconfig.json`,
  format: ['esm'],
  target: BROWSERS,
  platform: 'browser',
  outExtension: () => ({ js: '.js' }),
  noExternal: [/./],
  splitting: false,
  minify: true,
  esbuildOptions: (options) => {
    options.conditions = ['latchkey-source', 'browser'];
  },
  esbuildPlugins: [bundledLicenses()],
  dts: false,
};
