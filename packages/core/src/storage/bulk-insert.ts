/** The columns of rows, each with its type. */
type BulkColumns = Readonly<Record<string, string>>;

/**
 * Returns the statement that inserts many rows, which are its one parameter: an array of objects as JSON text, whose keys are
 * the columns. A missing key is NULL.
 * @param tail what follows the rows: `ON CONFLICT DO NOTHING RETURNING id`.
 */
export function bulkInsert(table: string, columns: BulkColumns, tail = ''): string {
  const names = Object.keys(columns).join(', ');
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${bulkRows('$1', columns)} ${tail}`;
}

/** Returns the rows of a parameter as a table `r`, for a FROM clause. */
export function bulkRows(parameter: string, columns: BulkColumns): string {
  const types = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  return `json_to_recordset(${parameter}::json) AS r(${types.join(', ')})`;
}
