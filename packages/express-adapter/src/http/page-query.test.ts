import { describe, expect, it } from 'vitest';
import { pageQuery } from './page-query.js';

const accepts = (query: Record<string, string>): boolean => pageQuery().safeParse(query).success;

describe('the page that is asked for', () => {
  it('is the first fifty unless told otherwise', () => {
    expect(pageQuery().parse({})).toEqual({ limit: 50, offset: 0 });
  });

  it('holds as many as asked for, up to the maximum of the list', () => {
    expect(pageQuery().parse({ limit: '1000', offset: '7' })).toEqual({ limit: 1000, offset: 7 });
    expect(pageQuery().parse({ limit: '1001' }).limit).toBe(1000);
    expect(pageQuery().parse({ limit: '2147483647' }).limit).toBe(1000);
    expect(pageQuery(100_000).parse({ limit: '99999' }).limit).toBe(99_999);
    expect(pageQuery(100_000).parse({ limit: '100001' }).limit).toBe(100_000);
  });

  it('may begin anywhere that PostgreSQL can count to', () => {
    expect(pageQuery().parse({ offset: '2147483647' }).offset).toBe(2_147_483_647);
    expect(accepts({ offset: '2147483648' })).toBe(false);
  });

  it('has at least one row', () => {
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
  ])('%j is no number of rows', (text) => {
    expect(accepts({ limit: text })).toBe(false);
    expect(accepts({ offset: text })).toBe(false);
  });

  it.each(['9007199254740993', '99999999999', '1'.repeat(400)])('%j is too large to be meant', (text) => {
    expect(accepts({ limit: text })).toBe(false);
    expect(accepts({ offset: text })).toBe(false);
  });

  it('a refusal says why', () => {
    const fault = pageQuery().safeParse({ limit: '0', offset: 'x' }).error?.issues;
    expect(fault?.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['limit', 'must be at least 1'],
      ['offset', 'must be a whole number'],
    ]);
  });
});
