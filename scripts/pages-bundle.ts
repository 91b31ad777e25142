import type { Options } from 'tsup';

const SOURCE = 'packages/express-adapter/src/pages/browser';

/** The scripts and the style of the pages: each script whole in one file, since a page needs exactly one. */
export const pagesBundle: Options = {
  name: 'pages',
  entry: ['login.ts', 'accept-invitation.ts', 'reset-password.ts', 'verify-email.ts', 'pages.css'].map(
    (file) => `${SOURCE}/${file}`,
  ),
  outDir: 'packages/express-adapter/dist/browser',
  tsconfig: `${SOURCE}/tsconfig.json`,
  format: ['esm'],
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  platform: 'browser',
  outExtension: () => ({ js: '.js' }),
  noExternal: [/./],
  splitting: false,
  minify: true,
  dts: false,
};
