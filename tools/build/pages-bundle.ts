import type { BuildOptions } from 'esbuild';
import { build, type Options } from 'tsup';
import { LOCALES, type Locale } from '../../packages/core/src/kernel/locale.js';
import { recordInputs } from './bundle-inputs.js';
import { bundledLicenses } from './bundled-licenses.js';
import { buildSplitScript } from './split-script.js';

const SOURCE = 'packages/pages/src/browser';

/** The oldest browsers that the pages and the client support. */
export const BROWSERS = ['es2022', 'chrome111', 'firefox115', 'safari16.4'];

export const PAGES_FOLDER = 'packages/pages/dist/browser';

/** Scripts of pages on which users sign in: they load the views of the second step on demand. */
const SIGN_IN_SCRIPTS = ['login', 'mailed-sign-in', 'accept-invitation', 'external-callback'];

const SCRIPTS = [
  'account.tsx',
  'company.tsx',
  'reset-password.tsx',
  'verify-email.tsx',
  'mailed-link.tsx',
  'register.tsx',
  'first-administrator.tsx',
  'dev-mail.ts',
  'password-strength.ts',
  'console.tsx',
];

const STYLES = ['pages.css', 'app.css', 'wide.css', 'console.css'];

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/** The scripts import the English texts; the scripts of another language get its texts in their place. */
const translated = (locale: Locale): EsbuildPlugin => ({
  name: 'translated',
  setup: (build) => {
    if (locale === 'en') return;
    build.onResolve({ filter: /\/messages\/en\// }, ({ path, resolveDir, kind }) =>
      build.resolve(path.replace('/messages/en/', `/messages/${locale}/`), { resolveDir, kind }),
    );
  },
});

/** Each script whole in one file with the client. */
const scripts = (locale: Locale): Options => ({
  ...common,
  entry: SCRIPTS.map((file) => `${SOURCE}/${file}`),
  outDir: `${PAGES_FOLDER}/${locale}`,
  esbuildPlugins: [translated(locale), bundledLicenses()],
});

/** The files are sent as UTF-8; escapes would take more space. */
const WRITTEN: BuildOptions = { conditions: ['latchkey-source', 'browser'], charset: 'utf8' };

const common: Options = {
  tsconfig: `${SOURCE}/tsconfig.json`,
  format: ['esm'],
  target: BROWSERS,
  platform: 'browser',
  outExtension: () => ({ js: '.js' }),
  noExternal: [/./],
  splitting: false,
  minify: true,
  esbuildOptions: (options) => {
    Object.assign(options, WRITTEN);
  },
  dts: false,
};

function buildSignInScript(name: string, locale: Locale, inputs: Set<string>): Promise<void> {
  const later = { name: `${name}-second-step`, source: `${SOURCE}/ui/second-step-views.tsx` };
  return buildSplitScript(
    { name, source: `${SOURCE}/${name}.tsx`, later, outDir: `${PAGES_FOLDER}/${locale}` },
    {
      ...WRITTEN,
      tsconfig: `${SOURCE}/tsconfig.json`,
      bundle: true,
      format: 'esm',
      target: BROWSERS,
      platform: 'browser',
      minify: true,
      metafile: true,
      logLevel: 'silent',
      plugins: [translated(locale), recordInputs(inputs)],
    },
  );
}

/** Builds the scripts of the pages, once for each language, and their style. Returns the files that go into them. */
export async function buildPages(): Promise<string[]> {
  const styles = { ...common, entry: STYLES.map((file) => `${SOURCE}/${file}`), outDir: PAGES_FOLDER };
  const inputs = new Set<string>();
  for (const bundle of [styles, ...LOCALES.map(scripts)]) {
    const esbuildPlugins = [...(bundle.esbuildPlugins ?? []), recordInputs(inputs)];
    await build({ ...bundle, esbuildPlugins, config: false, silent: true });
  }
  const signIns = LOCALES.flatMap((locale) => SIGN_IN_SCRIPTS.map((name) => [name, locale] as const));
  await Promise.all(signIns.map(([name, locale]) => buildSignInScript(name, locale, inputs)));
  return [...inputs];
}
