import { z } from 'zod';

/** A larger number is a mistake, not a request for many rows. */
const LARGEST = 2 ** 31 - 1;
const DIGITS = /^\d{1,10}$/;

/** Parses a whole number of at least `least`, or its digits as a query has them. */
export const wholeNumber = (least = 0) =>
  z.preprocess(
    (value: number | string) =>
      isWritten(value) && DIGITS.test(String(value)) ? Number(String(value)) : value,
    z
      .int('must be a whole number')
      .min(least, least === 0 ? 'must be a whole number' : `must be at least ${least}`)
      .max(LARGEST, `must be at most ${LARGEST}`),
  );

const isWritten = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';

const NAMED = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** Parses a boolean, or its name as a query has it. */
export const yesOrNo = z.preprocess(
  (value: boolean | 'true' | 'false') => NAMED.get(value) ?? value,
  z.boolean('must be true or false'),
);
