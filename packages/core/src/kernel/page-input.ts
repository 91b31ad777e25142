import { z } from 'zod';
import { checkInput } from './check-input.js';
import type { PageRequest } from './page.js';
import { wholeNumber } from './query-value.js';
import { fieldError } from './validation-error.js';

const DEFAULT_LIMIT = 50;
const DEFAULT_MAX_LIMIT = 1_000;

/**
 * Returns the schema of `limit` and `offset` of a list. A limit above the maximum is clamped to it.
 * @example
 * ```ts
 * const query = pageInput(200);
 * query.parse({ limit: '500', offset: '20' }); // → { limit: 200, offset: 20 }
 * query.parse({}); // → { limit: 50, offset: 0 }
 * ```
 */
export function pageInput(maxLimit = DEFAULT_MAX_LIMIT) {
  return z.object({
    limit: wholeNumber(1)
      .transform((value) => Math.min(value, maxLimit))
      // Not `default`: descriptions show the input, and so its default.
      .prefault(DEFAULT_LIMIT)
      .describe(`Items of one answer. More than ${maxLimit} counts as ${maxLimit}.`),
    offset: wholeNumber().prefault(0).describe('Items to skip from the start of the list.'),
  }) satisfies z.ZodType<PageRequest>;
}
/** A page request as callers send it: numbers or their digits, each with a default (`limit` 50, `offset` 0). */
export type PageInput = z.input<ReturnType<typeof pageInput>>;

/**
 * Returns the schema of `limit` and `cursor` of a list that is read by cursor.
 * @example
 * ```ts
 * cursorInput().parse({ limit: '10', cursor: 'abc' }); // → { limit: 10, cursor: 'abc' }
 * cursorInput(100).parse({ limit: 500 }).limit; // → 100
 * ```
 */
export function cursorInput(maxLimit = DEFAULT_MAX_LIMIT) {
  return z.object({
    limit: pageInput(maxLimit).shape.limit,
    cursor: z
      .string()
      .min(1)
      .max(500)
      .meta({ pattern: '^[A-Za-z0-9_-]+$' })
      .optional()
      .describe('`X-Next-Cursor` of the answer before. Without it the list starts from the top.'),
  });
}
/** A request for a slice of a growing list as callers send it; without a cursor it is the first slice. */
export type CursorInput = z.input<ReturnType<typeof cursorInput>>;

/**
 * Returns the schema of a page of a list that grows: `limit` and `offset`, or `limit` and `cursor`.
 * @example
 * ```ts
 * growingPageInput().parse({ limit: 10, cursor: 'abc' }); // → { limit: 10, offset: 0, cursor: 'abc' }
 * ```
 */
export const growingPageInput = (maxLimit = DEFAULT_MAX_LIMIT) =>
  pageInput(maxLimit).extend({ cursor: cursorInput(maxLimit).shape.cursor });
/** A request for a page of a growing list as callers send it. */
export type GrowingPageInput = z.input<ReturnType<typeof growingPageInput>>;

const usualPage = pageInput();
const usualGrowingPage = growingPageInput();

/** Returns the parsed page request. @param schema for a list with a maximum of its own. */
export const checkPage = (page: PageInput, schema = usualPage): PageRequest =>
  checkInput(schema, page, 'query');

/**
 * Returns the parsed request for a page of a list that grows.
 * @param schema for a list with a maximum of its own.
 * @throws AuthError `validation_error`, also for a cursor beside an offset.
 */
export function checkGrowingPage(page: GrowingPageInput, schema = usualGrowingPage): PageRequest {
  const checked = checkInput(schema, page, 'query');
  if (checked.cursor !== undefined && checked.offset > 0)
    throw fieldError('cursor', 'not_allowed', 'continues a list by itself; leave `offset` out');
  return checked;
}
