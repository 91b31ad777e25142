import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wholeNumber, yesOrNo } from './query-value.js';

const asSent = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

describe('a whole number of a query', () => {
  it('is read from its digits and from itself', () => {
    expect(wholeNumber().parse('0012')).toBe(12);
    expect(wholeNumber().parse(12)).toBe(12);
    expect(Object.is(wholeNumber().parse(-0), 0)).toBe(true);
  });

  it.each([[[5]], [true], [null], [{}], ['5.0'], [Infinity]])('is not read from %j', (value) => {
    expect(wholeNumber().safeParse(value).error?.issues[0]?.message).toBe('must be a whole number');
  });

  it('is described as an integer with its bounds', () => {
    expect(asSent(wholeNumber(1))).toMatchObject({ type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 });
  });
});

describe('a yes or no of a query', () => {
  it('is read from its name and from itself', () => {
    expect(['true', 'false', true, false].map((value) => yesOrNo.parse(value))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it.each(['TRUE', '1', '', 'constructor', 0, null])('is not read from %j', (value) => {
    expect(yesOrNo.safeParse(value).error?.issues[0]?.message).toBe('must be true or false');
  });

  it('is described as a boolean', () => {
    expect(asSent(yesOrNo)).toMatchObject({ type: 'boolean' });
  });
});
