import MarkdownIt from 'markdown-it';
import { addressOf, readText, titleOf } from './repository.js';
import { targetOf } from './targets.js';

const markdown = new MarkdownIt();
const README = 'README.md';

/** Paths in a square of 24, one for each group of features: key, clock, building, shield, blocks, gauge. */
const ICONS = [
  'M14 10a4 4 0 1 0-3.2 3.9L12 15h2v2h2v2h3v-3l-5.2-5.2M9 10h.01',
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2',
  'M4 21V5l8-2v18M12 9h8v12M3 21h18M8 8v.01M8 12v.01M8 16v.01M16 13v.01M16 17v.01',
  'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4',
  'M4 4h7v7H4zM13 13h7v7h-7zM13 4h7v7h-7zM4 13h7v7H4z',
  'M4 18a9 9 0 1 1 16 0M12 14l4-5',
];

const iconOf = (path) =>
  `<svg viewBox="0 0 24 24" width="28" height="28" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;

/** Returns the front matter of the home page, all of it from the README. */
export function frontPage() {
  const [what, ...more] = sentencesOf(introduction());
  return {
    layout: 'home',
    hero: {
      name: titleOf(README),
      text: what
        .replace(`${titleOf(README)} is `, '')
        .replace(/\.$/, '')
        .replace(/^an? (.)/, (_, first) => first.toUpperCase()),
      tagline: more.join(' '),
      image: {
        light: '/images/console-light.png',
        dark: '/images/console-dark.png',
        alt: 'The overview of the console',
      },
      actions: [
        { theme: 'brand', text: titleOf('docs/quick-start.md'), link: addressOf('docs/quick-start.md') },
        { theme: 'alt', text: titleOf('docs/README.md'), link: addressOf('docs/README.md') },
        { theme: 'alt', text: titleOf('docs/comparison.md'), link: addressOf('docs/comparison.md') },
      ],
    },
    features: features(),
    start: {
      command: firstBlock(README, 'sh'),
      code: firstBlock('packages/express-adapter/README.md', 'ts'),
    },
  };
}

/** Returns the first block of a language in a file. */
function firstBlock(file, language) {
  const block = markdown
    .parse(readText(file), {})
    .find(({ type, info }) => type === 'fence' && info === language);
  if (!block) throw new Error(`${file} has no block of ${language}, which the home page shows.`);
  return block.content.trim();
}

/** Returns the first paragraph of the README, as plain text. */
export function introduction() {
  const tokens = markdown.parse(readText(README), {});
  const paragraph = tokens.findIndex(({ type }) => type === 'paragraph_open');
  return plainText(tokens[paragraph + 1].children);
}

/** Returns the list of features: title and link are what begins in bold, the rest are details. */
function features() {
  const [, list] = /^## Features\n([\s\S]+?)^## /m.exec(readText(README));
  const items = markdown.parse(list, {}).filter(({ type }) => type === 'inline');
  if (items.length !== ICONS.length)
    throw new Error('README.md lists six groups of features, one for each icon.');
  return items.map(({ children }, index) => {
    const end = children.findIndex(({ type }) => type === 'strong_close');
    const title = plainText(children.slice(0, end)).replace(/\.$/, '');
    const details = plainText(children.slice(end + 1)).replace(/^[.:, ]+/, '');
    const target = children.find(({ type }) => type === 'link_open')?.attrGet('href');
    const link = target && targetOf(README, target)?.address;
    return { icon: iconOf(ICONS[index]), title, details: capitalized(details), ...(link && { link }) };
  });
}

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const sentencesOf = (text) => text.match(/[^.]+\.(?=\s|$)/g).map((sentence) => sentence.trim());

/** Returns the text of inline tokens without its markup, safe as HTML. */
function plainText(tokens) {
  const texts = tokens.map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
  return markdown.utils.escapeHtml(texts.join(''));
}
