// Checks the Markdown files of the repository: `node scripts/check-links.mjs`.
//
// Every relative link must lead to a file or folder that exists, and every anchor to a heading. Links to other sites
// are left alone: whether those stand is not for a build to say.
import fs from 'node:fs';
import path from 'node:path';
import { readText, repositoryFiles, root } from './ci-files.mjs';

const INLINE_LINK = /!?\[(?:[^\]\\]|\\.|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const REFERENCE = /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm;
const OTHER_SITE = /^[a-z][a-z0-9+.-]*:|^\/\//i;

/** Code is shown, not followed. */
function withoutCode(text) {
  return text
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '``');
}

function linksOf(text) {
  const prose = withoutCode(text);
  return [...prose.matchAll(INLINE_LINK), ...prose.matchAll(REFERENCE)].map(([, target]) => target);
}

/** The anchors of a page's headings, named the way GitHub names them; a second one of a name gets `-1`. */
function anchorsOf(text) {
  const prose = text.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gm, '');
  const seen = new Map();
  const anchors = new Set();
  for (const [, heading] of prose.matchAll(/^#{1,6}\s+(.+?)\s*#*\s*$/gm)) {
    const name = slugOf(heading);
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    anchors.add(times === 0 ? name : `${name}-${times}`);
  }
  return anchors;
}

function slugOf(heading) {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** What is wrong with one link, or undefined. */
function faultOf(file, target) {
  if (OTHER_SITE.test(target)) return undefined;
  if (target.startsWith('/')) return 'starts at the root of a machine; write it relative to the file';
  const [address = '', anchor] = target.split('#', 2);
  const goal = address === '' ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(address));
  if (goal.startsWith('..')) return 'leads out of the repository';
  if (!fs.existsSync(path.join(root, goal))) return 'leads to nothing';
  if (anchor === undefined || !goal.endsWith('.md')) return undefined;
  return anchorsOf(readText(goal)).has(anchor) ? undefined : `there is no heading #${anchor} in ${goal}`;
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
