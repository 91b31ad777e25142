import type { z } from 'zod';
import type { FieldFault } from './field-fault.js';
import { faultsOfIssues, IN_OUR_WORDS, pointerOfInput } from './input-faults.js';
import { uncleanFields } from './text.js';
import { validationError } from './validation-error.js';

/**
 * Returns the input as the schema parses it. Parsing a parsed input returns the same again, so the route and
 * the use case behind it may both do it.
 * @param where names an input that has no fields of its own, as `companyId` or `body`.
 * @throws AuthError `validation_error` whose message and `fields` name each offending field and the reason.
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
  const checked = inspectInput(schema, input, where);
  if ('value' in checked) return checked.value;
  throw validationError(checked.faults, where);
}

/**
 * Returns the body as the schema parses it, like `checkInput`.
 * @param alongside finds faults that are decided on later, such as those of a password. It is called only if the
 * body is rejected anyway, so that the caller learns of every fault at once.
 * @throws AuthError `validation_error`.
 * @example
 * ```ts
 * const input = { password: 'short' };
 * const alongside = () => kit.auth.passwordPolicy.faultsIn(input);
 * await checkInputAlongside(loginInput, input, alongside); // →! /password: must have at least 8 characters/
 * ```
 */
export async function checkInputAlongside<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  alongside: () => Promise<readonly FieldFault[]>,
): Promise<z.output<Schema>> {
  const checked = inspectInput(schema, input, 'body');
  if ('value' in checked) return checked.value;
  throw validationError(withOtherFields(checked.faults, await alongside()));
}

/** The value of an input, or its faults. */
type InspectedInput<Value> = { readonly value: Value } | { readonly faults: readonly FieldFault[] };

/** Checks an input like `checkInput`, and returns its faults instead of throwing them. */
export function inspectInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  where: string,
): InspectedInput<z.output<Schema>> {
  const unclean = uncleanFields(input, pointerOfInput(where));
  const parsed = schema.safeParse(input, IN_OUR_WORDS);
  if (parsed.success && unclean.length === 0) return { value: parsed.data };
  const found = parsed.success ? [] : faultsOfIssues(parsed.error.issues, where);
  return { faults: withOtherFields(unclean, found) };
}

/** Adds the faults of fields that have none so far. */
function withOtherFields(faults: readonly FieldFault[], more: readonly FieldFault[]): readonly FieldFault[] {
  const known = new Set(faults.map(({ pointer }) => pointer));
  return [...faults, ...more.filter(({ pointer }) => !known.has(pointer))];
}
