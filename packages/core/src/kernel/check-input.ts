import type { z } from 'zod';
import { AuthError } from './auth-error.js';
import { findUncleanText } from './text.js';

/**
 * What a schema makes of an input. Checking what was checked already gives the same again, so whoever reads a request
 * and the use case behind it may both do it.
 * @param where names an input that has no fields of its own, as `companyId` or `body`.
 * @throws AuthError `validation_error` whose message names each offending field and why.
 * @example
 * ```ts
 * checkInput(loginInput, { email: 'ANN@example.com', password: 'a long walk home' }).email; // → 'ann@example.com'
 * checkInput(loginInput, { password: 7 }); // →! 'email: is required; password: must be of type string, not number'
 * ```
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  where = 'body',
): z.output<Schema> {
  const fault = findUncleanText(input, typeof input === 'string' ? where : '');
  if (fault !== undefined) throw AuthError.validation(fault);
  // With the input at hand a value of a wrong type can be told from a missing one.
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw AuthError.validation(parsed.error.issues.map((issue) => describeIssue(issue, where)).join('; '));
}

function describeIssue(issue: z.core.$ZodIssue, where: string): string {
  const path = issue.path.map(String).join('.');
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${path === '' ? where : path}: ${missing ? 'is required' : inPlainWords(issue.message)}`;
}

/** What zod says of a value of a wrong type, as the other messages are put. */
const inPlainWords = (message: string): string =>
  message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be of type $1, not $2');
