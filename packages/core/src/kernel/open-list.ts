/** A value that is not one of the list: a later version wrote it. */
const OTHER = 'other';

/** A value of a list that later versions extend, as this version reads it. */
export type Readable<Value extends string> = Value | typeof OTHER;

/** Returns the values in which a list that later versions extend is read. */
export const readable = <const Values extends readonly string[]>(
  values: Values,
): [...Values, typeof OTHER] => [...values, OTHER];

/**
 * Reads a stored value of a list that later versions extend: `other` if this version does not know it, so that its lists still work
 * while replicas of a later version run beside it.
 */
export const readAs = <Value extends string>(values: readonly Value[], stored: string): Readable<Value> =>
  values.find((value) => value === stored) ?? OTHER;
