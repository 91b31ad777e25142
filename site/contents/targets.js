import path from 'node:path';
import { addressOf, isFolder, pageOf } from './repository.js';

const OTHER_SITE = /^[a-z][a-z0-9+.-]*:|^\/\//i;

/**
 * Resolves a link of a Markdown file. Returns the page's address or the file of the repository that it leads to, and
 * undefined for links to other sites and within the page.
 * @param file the Markdown file, from the repository's root
 * @param target the link as written
 */
export function targetOf(file, target) {
  if (OTHER_SITE.test(target) || target.startsWith('#') || target.startsWith('/')) return undefined;
  const [address = '', anchor] = decodeURI(target).split('#', 2);
  const goal = path.posix.join(path.posix.dirname(file), address).replace(/\/$/, '');
  const page = isFolder(goal) ? `${goal}/README.md` : goal;
  if (pageOf(page) === undefined) return { file: goal };
  return { page, address: addressOf(page) + (anchor === undefined ? '' : `#${anchor}`) };
}
