import fs from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string): string => fs.readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const namesIn = (folder: string): string[] => fs.readdirSync(new URL(`../../${folder}`, import.meta.url));

const linksOf = (page: string): string[] =>
  [...read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);

it('every page of docs/ is found in the index', () => {
  const pages = namesIn('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(pages.filter((page) => !linksOf('docs/README.md').includes(page))).toEqual([]);
});

it('every example is found in the README and has a page of its own', () => {
  const examples = namesIn('examples');
  expect(examples.filter((name) => !linksOf('README.md').includes(`examples/${name}`))).toEqual([]);
  expect(examples.filter((name) => !namesIn(`examples/${name}`).includes('README.md'))).toEqual([]);
});
