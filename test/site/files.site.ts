import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryFiles } from '../../tools/shared/repository-files.mjs';
import { DIST, builtFiles, builtPages, referencesOf, type Reference } from './built-site.js';

const files = new Set(builtFiles());
const pages = builtPages();
const byPath = new Map(pages.map((page) => [page.path, page]));
const references = pages.flatMap(referencesOf);

const isElsewhere = (address: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address);

it('every page of docs/ is rendered', () => {
  const wanted = repositoryFiles()
    .filter((file) => file.startsWith('docs/') && file.endsWith('.md') && !file.endsWith('README.md'))
    .map((file) => file.replace(/^docs/, '').replace(/\.md$/, '.html'));
  expect(wanted.length).toBeGreaterThan(90);
  expect(wanted.filter((file) => !files.has(file))).toEqual([]);
  const others = ['index', 'contents', 'decisions/index', 'readme', 'changelog', 'contributing', 'security'];
  const references = ['http/index', 'http/sign-in', 'typescript/index', 'typescript/@latchkey/core'];
  expect([...others, ...references].filter((name) => !files.has(`/${name}.html`))).toEqual([]);
});

it('no link of the site is dead', () => {
  expect(references.length).toBeGreaterThan(10_000);
  const dead = references.filter(({ address }) => !isElsewhere(address)).filter(isDead);
  expect([...new Set(dead.map(({ page, address }) => `${page.path}: ${address}`))]).toEqual([]);
});

it('scripts, styles, fonts and images come from the site', () => {
  const loaded = references.filter(({ tag }) => tag !== 'a');
  expect(loaded.filter(({ address }) => isElsewhere(address) && !address.startsWith('data:'))).toEqual([]);
  const styles = [...files].filter((file) => file.endsWith('.css'));
  const addresses = styles.flatMap((file) => addressesIn(fs.readFileSync(DIST + file, 'utf8')));
  expect(addresses.filter((address) => isElsewhere(address) && !address.startsWith('data:'))).toEqual([]);
});

it('the index of the search knows the pages', () => {
  const index = [...files].filter((file) => file.includes('localSearchIndex'));
  expect(index).toHaveLength(1);
  const text = fs.readFileSync(DIST + index[0]!, 'utf8');
  const documents = [
    '/sessions.html#',
    '/decisions/0002-derived-refresh-tokens.html#',
    '/http/sign-in.html#login',
  ];
  expect(documents.filter((address) => !text.includes(address))).toEqual([]);
});

/** Reports whether an address leads to no file, or to no anchor of a page. */
function isDead({ page, address }: Reference): boolean {
  const { pathname, hash } = new URL(address, `http://site${page.path}`);
  const file = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!files.has(file)) return true;
  // The viewer of the API resolves its anchors itself.
  if (hash.startsWith('#/')) return false;
  const anchor = decodeURIComponent(hash.slice(1));
  const goal = byPath.get(path.posix.normalize(file));
  return anchor !== '' && goal !== undefined && !goal.ids.has(anchor);
}

const addressesIn = (style: string): string[] =>
  [...style.matchAll(/url\(["']?([^"')]+)|@import\s+["']([^"']+)/g)].map(
    ([, url, sheet]) => url ?? sheet ?? '',
  );
