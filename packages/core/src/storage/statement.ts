/** A hot statement: SQL with `$1` parameters and the name under which each connection prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the expression of a batch of values in one parameter, such as `$1`, for `= ANY(…)` and `unnest(…)`. PostgreSQL
 * estimates an array by its length, so it makes a new plan for each small batch, which costs more than running it. It
 * does not know the length of a subquery's result: after five runs it keeps one plan for batches of every size.
 * @param type the type of one value.
 */
export const batchOf = (parameter: string, type: string): string =>
  `(SELECT ${parameter}::${type}[])::${type}[]`;

/** Returns the expression of a batch of ids. */
export const idBatch = (parameter: string): string => batchOf(parameter, 'uuid');

/** PostgreSQL cuts identifiers at 63 bytes, and two cut names could collide. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * Declares a hot statement. The name is unique in the program: lower-case letters, digits and `_`, at most 63.
 * Throws TypeError otherwise.
 */
export function statement(name: string, text: string): Statement {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is not a valid name for a prepared statement.`);
  return { name, text };
}
