import path from 'node:path';
import { ROOT, sourceAddress } from '../contents/repository.js';
import { targetOf } from '../contents/targets.js';

/**
 * Makes links between files of the repository work on the site: a page links to a page, everything else is shown in the
 * repository or as a copy.
 * @param markdown an instance of markdown-it
 */
export function siteLinks(markdown) {
  markdown.core.ruler.push('site_links', ({ tokens, env }) => {
    const file = path
      .relative(ROOT, env.realPath ?? env.path)
      .split(path.sep)
      .join('/');
    for (const { children } of tokens) {
      for (const token of children ?? []) if (token.type === 'link_open') redirect(token, file);
    }
  });
}

function redirect(token, file) {
  const target = targetOf(file, token.attrGet('href'));
  if (target === undefined) return;
  if (target.page !== undefined) {
    token.attrSet('href', encodeURI(target.address));
    return;
  }
  token.attrSet('href', encodeURI(sourceAddress(target.file)));
  token.attrSet('target', '_blank');
  token.attrSet('rel', 'noreferrer');
}
