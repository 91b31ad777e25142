import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files made by `generate.js`, from the repository's root. */
export const GENERATED = 'site/generated';

/** The path below which the site is served, with a slash at both ends. */
export const BASE = process.env.SITE_BASE ?? '/';

/** Markdown files that are pages, and the page of each. All others are not part of the site. */
const PAGES = [
  [/^docs\/README\.md$/, 'contents.md'],
  [/^docs\/decisions\/README\.md$/, 'decisions/index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^(packages|examples)\/([^/]+)\/README\.md$/, '$1/$2.md'],
  [/^bench\/peers\/README\.md$/, 'bench/peers.md'],
  [/^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/, (file) => file.toLowerCase()],
  [/^site\/pages\/(.+\.md)$/, '$1'],
  [/^site\/generated\/((?:http|typescript)\/.+\.md)$/, '$1'],
];

/** Returns the text of a file of the repository. */
export const readText = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** Returns the page of a Markdown file, such as `decisions/index.md`, or undefined if it has none. */
export function pageOf(file) {
  const rule = PAGES.find(([pattern]) => pattern.test(file));
  return rule && file.replace(rule[0], rule[1]);
}

/** Returns the address of the page of a Markdown file, below the site's base. */
export const addressOf = (file) =>
  `/${pageOf(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '.html')}`;

/** Returns the first heading of a Markdown file, as plain text. */
export function titleOf(file) {
  const [, title = file] = /^# (.+)$/m.exec(readText(file)) ?? [];
  return title.replaceAll('`', '');
}

/** Returns the address of the repository in a browser, if the manifest names it. */
export function repositoryAddress() {
  const { repository } = JSON.parse(readText('package.json'));
  const address = typeof repository === 'string' ? repository : repository?.url;
  return address?.replace(/^git\+/, '').replace(/\.git$/, '');
}

/**
 * Returns the address at which the site shows a file or folder of the repository that is no page: in the repository if
 * its address is known, else as a copy, which `generate.js` makes.
 */
export function sourceAddress(file) {
  const repository = repositoryAddress();
  if (repository !== undefined) return `${repository}/blob/main/${file}`;
  return `${BASE}${copyOf(file)}`;
}

/** Returns the name of a file's copy. The OpenAPI document keeps its name, and all others are shown as plain text. */
export const copyOf = (file) => (file === 'docs/openapi.json' ? 'openapi.json' : `files/${file}.txt`);

/** Returns whether a name of the repository is a folder. */
export const isFolder = (file) =>
  fs.statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.isDirectory() === true;
