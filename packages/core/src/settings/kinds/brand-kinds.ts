import { kindOf, Problem } from './setting-kind.js';

/** A colour as `#rrggbb`; the short form is expanded. */
export const colour = kindOf('a colour such as #2f5bd0', (text) => {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  const long = short
    ? `#${short
        .slice(1)
        .map((digit) => digit.repeat(2))
        .join('')}`
    : text;
  return /^#[0-9a-f]{6}$/i.test(long) ? long.toLowerCase() : new Problem('not a hexadecimal colour');
});

/** A path on the host of the pages: their content security policy allows no other host. */
export const ownPath = kindOf('a path on the same host such as /brand/logo.svg', (text) =>
  isOwnPath(text) ? text : new Problem('not a path on the same host'),
);

/** The address of a page that the pages and mails link to. */
export const linkTarget = kindOf('an https address, or a path on the same host such as /terms', (text) => {
  if (isOwnPath(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') return new Problem('neither an https address nor a path on the same host');
  return url.username || url.password ? new Problem('contains a user name or password') : url.href;
});

const isOwnPath = (text: string): boolean => /^\/(?!\/)[A-Za-z0-9._~%/-]*$/.test(text);
