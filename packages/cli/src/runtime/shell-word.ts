const PLAIN = /^[A-Za-z0-9@%+=:,./_-]+$/;

/**
 * A text as one word of a shell line that somebody may paste. An email may hold what a shell would run: `$`, a
 * backtick, `|`, `&`.
 */
export const shellWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
