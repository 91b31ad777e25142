const PLAIN = /^[A-Za-z0-9@%+=:,./_-]+$/;

/**
 * Quotes a text as one word of a shell line that people paste. An email may contain what a shell would run: `$`, a
 * backtick, `|`, `&`.
 */
export const shellWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
