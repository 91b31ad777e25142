import { describe, expect, it } from 'vitest';
import { pageInput } from './page-input.js';

const accepts = (query: Record<string, string>): boolean => pageInput().safeParse(query).success;

describe('the page that is asked for', () => {
  it('a page defaults to the first fifty rows', () => {
    expect(pageInput().parse({})).toEqual({ limit: 50, offset: 0 });
  });

  it('a page holds as many rows as requested, up to the maximum of the list', () => {
    expect(pageInput().parse({ limit: '1000', offset: '7' })).toEqual({ limit: 1000, offset: 7 });
    expect(pageInput().parse({ limit: '1001' }).limit).toBe(1000);
    expect(pageInput().parse({ limit: '2147483647' }).limit).toBe(1000);
    expect(pageInput(100_000).parse({ limit: '99999' }).limit).toBe(99_999);
    expect(pageInput(100_000).parse({ limit: '100001' }).limit).toBe(100_000);
  });

  it('a page may begin at any offset that PostgreSQL can count to', () => {
    expect(pageInput().parse({ offset: '2147483647' }).offset).toBe(2_147_483_647);
    expect(accepts({ offset: '2147483648' })).toBe(false);
  });

  it('a page has at least one row', () => {
    expect(accepts({ limit: '1' })).toBe(true);
    expect(accepts({ limit: '0' })).toBe(false);
  });

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '-0',
    '1.0',
    '1.5',
    '1e3',
    '1e309',
    '0x10',
    '١٢',
    '１２',
    'NaN',
    '1,000',
    '5 ',
  ])('the text %j is rejected as a number of rows', (text) => {
    expect(accepts({ limit: text })).toBe(false);
    expect(accepts({ offset: text })).toBe(false);
  });

  it.each(['9007199254740993', '99999999999', '1'.repeat(400)])(
    'the number %j is rejected as too large',
    (text) => {
      expect(accepts({ limit: text })).toBe(false);
      expect(accepts({ offset: text })).toBe(false);
    },
  );

  it('limit and offset may also be numbers', () => {
    expect(pageInput().parse({ limit: 7, offset: 0 })).toEqual({ limit: 7, offset: 0 });
    expect(pageInput().parse({ limit: 5000 }).limit).toBe(1000);
  });

  it.each([-1, 1.5, NaN, Infinity, 1e21, 2 ** 31])(
    'the number %d is rejected as a number of rows',
    (number) => {
      expect(pageInput().safeParse({ limit: number }).success).toBe(false);
      expect(pageInput().safeParse({ offset: number }).success).toBe(false);
    },
  );

  it('the message of a rejected limit or offset gives the reason', () => {
    const fault = pageInput().safeParse({ limit: '0', offset: 'x' }).error?.issues;
    expect(fault?.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['limit', 'must be at least 1'],
      ['offset', 'must be a whole number'],
    ]);
  });
});
