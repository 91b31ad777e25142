import type { PageRequest } from '@latchkey/core';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const DEFAULT_MAX_LIMIT = 1_000;
/** Above this a number is a mistake, not a wish for many rows. */
const LARGEST = 2 ** 31 - 1;

const wholeNumber = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number)
  .refine((value) => value <= LARGEST, `must be at most ${LARGEST}`);

/** `limit` and `offset` of a list. A limit above the maximum is clamped to it. */
export function pageQuery(maxLimit = DEFAULT_MAX_LIMIT) {
  return z.object({
    limit: wholeNumber
      .refine((value) => value >= 1, 'must be at least 1')
      .transform((value) => Math.min(value, maxLimit))
      .default(DEFAULT_LIMIT),
    offset: wholeNumber.default(0),
  }) satisfies z.ZodType<PageRequest>;
}

/** `limit` and `cursor` of a list that is read by cursor. */
export function cursorQuery(maxLimit = DEFAULT_MAX_LIMIT) {
  return z.object({
    limit: pageQuery(maxLimit).shape.limit,
    cursor: z.string().min(1).max(200).optional(),
  });
}
