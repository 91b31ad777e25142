// Checks the Markdown files of the repository: `node tools/check/links.mjs`.
//
// Every relative link must lead to a file or folder that exists, and every anchor to a heading. Links to other sites
// are not followed: a build must not depend on them.
import fs from 'node:fs';
import path from 'node:path';
import GitHubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { readText, repositoryFiles, root } from '../shared/repository-files.mjs';

const OTHER_SITE = /^[a-z][a-z0-9+.-]*:|^\/\//i;
const markdown = new MarkdownIt({ html: true });

function linksOf(text) {
  const inline = markdown.parse(text, {}).flatMap(({ children }) => children ?? []);
  return inline.flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? []);
}

/** The anchors of a page's headings, named the way GitHub names them. */
function anchorsOf(text) {
  const slugger = new GitHubSlugger();
  const tokens = markdown.parse(text, {});
  const headings = tokens.filter((_, index) => tokens[index - 1]?.type === 'heading_open');
  return headings.map(({ children }) => slugger.slug(children.map(({ content }) => content).join('')));
}

/** Returns what is wrong with a link, or undefined. */
function faultOf(file, target) {
  if (OTHER_SITE.test(target)) return undefined;
  if (target.startsWith('/')) return 'starts at the root of a machine; write it relative to the file';
  const [address = '', anchor] = decodeURIComponent(target).split('#', 2);
  const goal = address === '' ? file : path.posix.join(path.posix.dirname(file), address);
  if (goal.startsWith('..')) return 'leads out of the repository';
  if (!fs.existsSync(path.join(root, goal))) return 'leads to nothing';
  if (anchor === undefined || !goal.endsWith('.md')) return undefined;
  return anchorsOf(readText(goal)).includes(anchor) ? undefined : `there is no heading #${anchor} in ${goal}`;
}

const pages = repositoryFiles().filter((file) => file.endsWith('.md'));
const links = pages.flatMap((file) => linksOf(readText(file)).map((target) => ({ file, target })));
const faults = links.flatMap(({ file, target }) => {
  const fault = faultOf(file, target);
  return fault === undefined ? [] : [`${file}: ${target} ${fault}`];
});

for (const fault of faults) console.log(fault);
console.log(`${links.length} links in ${pages.length} Markdown files, ${faults.length} broken.`);
process.exitCode = faults.length === 0 ? 0 : 1;
