/**
 * Returns the page with a table between the two comments that bear the table's name.
 * @throws TypeError when the page lacks them.
 */
export function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: written by npm run docs -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError(`the page lacks the markers of the table "${name}"`);
  return `${page.slice(0, from)}${begin}\n\n${table}\n${page.slice(to)}`;
}

export const tableOf = (heads: readonly string[], rows: readonly string[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** Returns the text as code that a cell can hold. */
export const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
