import { createHash } from 'node:crypto';

/** A hot statement: SQL with `$1` parameters, which each connection prepares once. */
export interface Statement {
  /** Its name in logs and spans. */
  readonly name: string;
  readonly text: string;
  /**
   * The name under which it is prepared. It has a digest of the text: behind a pooler, a connection that another version of the
   * program has used must not run the text of that version with the values of this one.
   */
  readonly preparedName: string;
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

/** Hexadecimal digits of the digest: two versions of one statement differ with certainty. */
const DIGEST_LENGTH = 12;
/** PostgreSQL cuts identifiers at 63 bytes, and two cut names could collide: 50, `_` and the digest. */
const NAME = /^[a-z][a-z0-9_]{0,49}$/;

/**
 * Declares a hot statement. The name is unique in the program: lower-case letters, digits and `_`, at most 50.
 * Throws TypeError otherwise.
 */
export function statement(name: string, text: string): Statement {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is not a valid name for a prepared statement.`);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
  return { name, text, preparedName: `${name}_${digest}` };
}
