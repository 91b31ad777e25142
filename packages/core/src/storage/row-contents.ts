/**
 * Members of errors that quote rows, values or statements: of PostgreSQL (pg's `DatabaseError`), of a query
 * builder, and of Redis (ioredis' `ReplyError`), whose command is the password itself if that was rejected.
 */
const QUOTING = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'bindings', 'command'];
/** Members that hold another error, as causes do: a cluster reports the last error of its nodes. */
const HOLDING = ['cause', 'lastNodeError'] as const;

/**
 * Removes quoted stored or sent values from an error, its causes and the errors it aggregates: `Failing row contains
 * (…)` lists every column of a user, the password hash among them, and loggers print every member of an error. Message,
 * SQLSTATE, table, column and constraint stay.
 */
export function removeRowContents(error: unknown): void {
  const open = [error];
  const seen = new Set<Error>();
  while (open.length > 0) {
    const next = open.pop();
    if (!(next instanceof Error) || seen.has(next)) continue;
    seen.add(next);
    for (const name of QUOTING) Reflect.deleteProperty(next, name);
    for (const name of HOLDING) open.push(Reflect.get(next, name));
    if (next instanceof AggregateError) open.push(...(next.errors as unknown[]));
  }
}
