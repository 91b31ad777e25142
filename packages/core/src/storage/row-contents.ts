/** Members of an error of PostgreSQL (pg's `DatabaseError`) or of a query builder that quote rows, values or statements. */
const QUOTING = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'bindings'];

/**
 * Removes from an error, from its causes and from the errors it aggregates what quotes stored or sent values:
 * `Failing row contains (…)` lists every column of a user, the password hash among them, and loggers print whatever
 * an error holds. Message, SQLSTATE, table, column and constraint stay.
 */
export function removeRowContents(error: unknown): void {
  const open = [error];
  const seen = new Set<Error>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!(next instanceof Error) || seen.has(next)) continue;
    seen.add(next);
    for (const name of QUOTING) Reflect.deleteProperty(next, name);
    open.push(next.cause, ...(next instanceof AggregateError ? (next.errors as unknown[]) : []));
  }
}
