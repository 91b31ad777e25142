/** Characters with which spreadsheets begin a formula, also in the full width of East Asian keyboards (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const SPECIAL = /[",\r\n]/;

/** Returns rows as CSV (RFC 4180) with a first line of names, so that a spreadsheet evaluates nothing of it. */
export function csvOf<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
): string {
  const lines = rows.map((row) => names.map((name) => cellOf(row[name])).join(','));
  // With a mark of the encoding, which spreadsheets look for.
  return `\u{feff}${[names.join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
