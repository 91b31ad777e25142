import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wholeNumber, yesOrNo } from './query-value.js';

const asSent = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' });

describe('a whole number of a query', () => {
  it('a whole number is parsed from its digits and from a number', () => {
    expect(wholeNumber().parse('0012')).toBe(12);
    expect(wholeNumber().parse(12)).toBe(12);
    expect(Object.is(wholeNumber().parse(-0), 0)).toBe(true);
  });

  it.each([[[5]], [true], [null], [{}], ['5.0'], [Infinity]])(
    'a whole number is not parsed from %j',
    (value) => {
      expect(wholeNumber().safeParse(value).error?.issues[0]?.message).toBe('must be a whole number');
    },
  );

  it('a whole number is described as an integer with its bounds', () => {
    expect(asSent(wholeNumber(1))).toMatchObject({ type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 });
  });
});

describe('a boolean of a query', () => {
  it('a boolean is parsed from its name and from a boolean', () => {
    expect(['true', 'false', true, false].map((value) => yesOrNo.parse(value))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it.each(['TRUE', '1', '', 'constructor', 0, null])('a boolean is not parsed from %j', (value) => {
    expect(yesOrNo.safeParse(value).error?.issues[0]?.message).toBe('must be true or false');
  });

  it('a boolean is described as a boolean', () => {
    expect(asSent(yesOrNo)).toMatchObject({ type: 'boolean' });
  });
});
