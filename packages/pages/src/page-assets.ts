import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LOCALES, type Locale } from '@latchkey/core/names';
import { type SteadyEndpoint, textResponse } from '@latchkey/http/internal';
import type { BrandLook } from './brand.js';

/** Files of the pages, named by a hash of their content, so that browsers may cache them indefinitely. */
export interface PageAssets {
  /** Returns the path of a file below the public path of the service. */
  pathOf(name: AssetName): string;
  /** Returns the same of a script whose texts are in this language. */
  scriptPathOf(script: PageScript, locale: Locale): string;
  /** Returns the path of the views of the second step, which the script loads on demand; empty if it signs no one in. */
  secondStepPathOf(script: PageScript, locale: Locale): string;
  /** The files. */
  endpoints: readonly SteadyEndpoint[];
}

export type AssetName = 'pages.css' | 'app.css' | 'console.css' | 'wide.css' | 'mark.svg';

/** A script that the build makes from `browser/`, once for each language. */
export type PageScript =
  | 'login.js'
  | 'mailed-sign-in.js'
  | 'account.js'
  | 'company.js'
  | 'accept-invitation.js'
  | 'reset-password.js'
  | 'verify-email.js'
  | 'mailed-link.js'
  | 'register.js'
  | 'first-administrator.js'
  | 'external-callback.js'
  | 'dev-mail.js'
  | 'password-strength.js'
  | 'console.js';

const FOLDER = '/auth/assets';
/** The pattern of all their paths. */
export const ASSETS_ROUTE = `${FOLDER}/{file}`;
const A_YEAR_SECONDS = 31_536_000;
const TYPES = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Loads the files of the pages. @throws Error when the scripts have not been built. */
export function loadPageAssets(brand: BrandLook): PageAssets {
  const folder = builtFolder();
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  const files = [
    assetFile('pages.css', brand.customProperties + read('pages.css')),
    assetFile('wide.css', read('wide.css')),
    assetFile('app.css', brand.customProperties + read('app.css')),
    assetFile('console.css', read('console.css')),
    assetFile('mark.svg', brand.mark),
    ...scriptsIn(folder),
  ];
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  const pathOf = (name: string): string => paths.get(name) ?? '';
  const scriptPathOf = (script: PageScript, locale: Locale): string => pathOf(`${locale}/${script}`);
  const secondStepPathOf = (script: PageScript, locale: Locale): string =>
    pathOf(`${locale}/${script.replace('.js', '-second-step.js')}`);
  return { pathOf, scriptPathOf, secondStepPathOf, endpoints: files.map(assetEndpoint) };
}

interface AssetFile {
  name: string;
  /** Names the content. */
  path: string;
  text: string;
}

const assetFile = (name: string, text: string): AssetFile => ({
  name,
  path: `${FOLDER}/${hashedName(name, text)}`,
  text,
});

const scriptsByFolder = new Map<string, readonly AssetFile[]>();

/** Returns the scripts of all languages. They are read once: while a process runs, they stay what they are. */
function scriptsIn(folder: URL): readonly AssetFile[] {
  const known = scriptsByFolder.get(folder.href);
  if (known) return known;
  const scripts = LOCALES.flatMap((locale) => scriptsOf(locale, folder));
  scriptsByFolder.set(folder.href, scripts);
  return scripts;
}

/** Returns the scripts of a language. One that imports another one names its path, and so its content. */
function scriptsOf(locale: Locale, folder: URL): AssetFile[] {
  const scripts = new URL(`${locale}/`, folder);
  const names = readdirSync(scripts).filter((file) => file.endsWith('.js'));
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(new URL(file, scripts), 'utf8').replace(SIBLING, (reference, name: string) =>
      names.includes(name) ? `"./${hashedName(`${locale}/${name}`, textOf(name))}"` : reference,
    );
    texts.set(file, text);
    return text;
  };
  return names.map((name) => assetFile(`${locale}/${name}`, textOf(name)));
}

/** The reference of a script to another one, as the bundler writes it. */
const SIBLING = /"\.\/([\w-]+\.js)"/g;

/**
 * Returns the folder of the built scripts: beside the built code; where the build puts it when this runs from source; or in
 * the installed package when a bundler has moved the code.
 */
function builtFolder(): URL {
  const beside = new URL('./browser/', import.meta.url);
  const candidates = [beside, new URL('../dist/browser/', import.meta.url), ...installedFolder()];
  const folder = candidates.find((each) => existsSync(new URL('en/login.js', each)));
  if (!folder) {
    throw new Error(
      `The scripts of the pages are not in ${fileURLToPath(beside)}. In a checkout: npm run build. With a bundler: copy ` +
        'them beside your bundle (cp -r node_modules/@latchkey/pages/dist/browser dist/).',
    );
  }
  return folder;
}

function installedFolder(): URL[] {
  try {
    const entry = createRequire(import.meta.url).resolve('@latchkey/pages');
    return [new URL('./browser/', pathToFileURL(entry))];
  } catch {
    return [];
  }
}

/** Returns a name without folders. */
function hashedName(name: string, content: string): string {
  const [stem = '', extension = ''] = name.replaceAll('/', '-').split('.');
  return `${stem}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${extension}`;
}

function assetEndpoint({ path, text }: AssetFile): SteadyEndpoint {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1) as keyof typeof TYPES];
  // The name changes with the content.
  const tag = `"${path.slice(path.lastIndexOf('/') + 1)}"`;
  return {
    path,
    serve: (exchange) => {
      exchange.headers.set('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
      exchange.headers.set('ETag', tag);
      if (exchange.request.headers['if-none-match'] === tag)
        return { status: 304, headers: exchange.headers };
      return textResponse(exchange, 200, { type, text });
    },
  };
}
