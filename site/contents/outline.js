import fs from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { addressOf, GENERATED, readText, ROOT, titleOf } from './repository.js';
import { targetOf } from './targets.js';

const markdown = new MarkdownIt();
const INDEX = 'docs/README.md';
const DECISIONS = 'docs/decisions/README.md';

/** Returns the sidebars by the prefix of the pages that show them: everything comes from tables of contents that exist. */
export function sidebars() {
  return {
    '/decisions/': [{ text: 'Decisions', link: addressOf(DECISIONS), items: decisions() }],
    '/http/': [{ text: 'API reference', link: '/http/', items: generatedPages('http') }],
    '/typescript/': [{ text: 'Packages', link: '/typescript/', items: generatedPages('typescript') }],
    '/': [...documentation(), examples(), packages()],
  };
}

/** Returns the sections of docs/README.md, each page once: where it is named first. */
function documentation() {
  const seen = new Set(['README.md']);
  return sectionsOf(INDEX).map(({ title, rows }) => ({
    text: title,
    collapsed: false,
    items: rows.flatMap((row) => itemsOf(row.filter((file) => !seen.has(file) && seen.add(file)))),
  }));
}

/** Returns the pages of a row. Pages in the folder of the first one are below it. */
function itemsOf([first, ...others]) {
  if (first === undefined) return [];
  const folder = first.replace(/\.md$/, '/');
  const below = others.filter((file) => file.startsWith(folder));
  const beside = others.filter((file) => !file.startsWith(folder));
  const items = below.map(itemOf);
  return [{ ...itemOf(first), ...(items.length > 0 && { items, collapsed: true }) }, ...beside.map(itemOf)];
}

const itemOf = (file) => ({ text: titleOf(file), link: addressOf(file) });

/** Returns the level-two headings of a file with the files that the rows of their tables link to. */
function sectionsOf(file) {
  const sections = [];
  const tokens = markdown.parse(readText(file), {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag === 'h2')
      sections.push({ title: tokens[index + 1].content, rows: [] });
    if (token.type === 'inline') sections.at(-1)?.rows.push(pagesOf(file, token));
  }
  return sections;
}

/** Returns the pages that a paragraph or cell links to. */
function pagesOf(file, { children }) {
  const targets = children.flatMap((token) => token.attrGet('href') ?? []);
  return targets.flatMap((target) => targetOf(file, target)?.page ?? []);
}

/** Returns the records, which the table of docs/decisions/README.md names by number and title. */
function decisions() {
  const rows = readText(DECISIONS).matchAll(/^\| \[(\d+)\]\(([^)]+)\)\s+\| (.+?)\s*\|$/gm);
  return [...rows].map(([, number, name, title]) => ({
    text: `${number}. ${title.replaceAll('`', '')}`,
    link: addressOf(`docs/decisions/${name}`),
  }));
}

/** Returns the examples in the order of the README. */
function examples() {
  const section = sectionsOf('README.md').find(({ title }) => title === 'Examples');
  const files = section.rows.flat().filter((file) => file.startsWith('examples/'));
  return { text: 'Examples', link: '/readme.html#examples', collapsed: true, items: files.map(itemOf) };
}

/** Returns the packages in the order of the manifest. The tools are a workspace too, but nothing that readers install. */
function packages() {
  const { workspaces } = JSON.parse(readText('package.json'));
  const published = workspaces.filter((folder) => folder.startsWith('packages/'));
  return {
    text: 'Packages',
    collapsed: true,
    items: published.map((folder) => itemOf(`${folder}/README.md`)),
  };
}

/** Returns the entries of a generated reference, which the generator lists. */
function generatedPages(name) {
  const file = path.join(ROOT, GENERATED, name, 'sidebar.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
}
