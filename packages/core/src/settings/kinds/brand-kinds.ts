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
  /^\/(?!\/)[A-Za-z0-9._~%/-]*$/.test(text) ? text : new Problem('not a path on the same host'),
);
