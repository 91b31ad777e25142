import { describe, expect, it } from 'vitest';
import { MAX_EXACT_TOTAL, pageOf } from './page.js';

const rows = (count: number): number[] => Array.from({ length: count }, (_none, index) => index);
const COUNTED = MAX_EXACT_TOTAL + 1;

describe('the total of a page', () => {
  it.each([
    ['of a short list', { read: 3, counted: 3, limit: 5, offset: 0 }, [3, true]],
    ['of an empty list', { read: 0, counted: 0, limit: 5, offset: 0 }, [0, true]],
    ['of a list that continues', { read: 6, counted: 40, limit: 5, offset: 10 }, [40, true]],
    ['beyond the end of a list', { read: 0, counted: 40, limit: 5, offset: 90 }, [40, true]],
    ['of a list of exactly 10,000', { read: 6, counted: 10_000, limit: 5, offset: 0 }, [10_000, true]],
    [
      'of the first page of a longer list',
      { read: 6, counted: COUNTED, limit: 5, offset: 0 },
      [10_000, false],
    ],
    ['of a page up to the bound', { read: 6, counted: COUNTED, limit: 5, offset: 9_995 }, [10_001, false]],
    ['of a page past the bound', { read: 6, counted: COUNTED, limit: 5, offset: 20_000 }, [20_006, false]],
    [
      'of the last page past the bound',
      { read: 4, counted: COUNTED, limit: 5, offset: 20_000 },
      [20_004, true],
    ],
    [
      'beyond the end of a longer list',
      { read: 0, counted: COUNTED, limit: 5, offset: 90_000 },
      [10_000, false],
    ],
  ])('the total %s is exact or a lower bound', (_what, { read, counted, ...page }, expected) => {
    const { items, total, isTotalExact } = pageOf(rows(read), counted, page);
    expect([total, isTotalExact]).toEqual(expected);
    expect(items).toHaveLength(Math.min(read, page.limit));
  });

  it('paging up to the total reads the whole list', () => {
    const list = rows(23_456);
    const seen: number[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 1_000) {
      const page = { limit: 1_000, offset };
      const found = pageOf(list.slice(offset, offset + 1_001), Math.min(list.length, COUNTED), page);
      seen.push(...found.items);
      total = found.total;
    }
    expect(seen).toEqual(list);
  });
});
