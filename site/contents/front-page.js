import MarkdownIt from 'markdown-it';
import { addressOf, readText, titleOf } from './repository.js';
import { targetOf } from './targets.js';

const markdown = new MarkdownIt();
const README = 'README.md';

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
  };
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
  return items.map(({ children }) => {
    const end = children.findIndex(({ type }) => type === 'strong_close');
    const title = plainText(children.slice(0, end)).replace(/\.$/, '');
    const details = plainText(children.slice(end + 1)).replace(/^[.:, ]+/, '');
    const target = children.find(({ type }) => type === 'link_open')?.attrGet('href');
    const link = target && targetOf(README, target)?.address;
    return { title, details: capitalized(details), ...(link && { link }) };
  });
}

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const sentencesOf = (text) => text.match(/[^.]+\.(?=\s|$)/g).map((sentence) => sentence.trim());

/** Returns the text of inline tokens without its markup, safe as HTML. */
function plainText(tokens) {
  const texts = tokens.map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
  return markdown.utils.escapeHtml(texts.join(''));
}
