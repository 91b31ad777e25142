import { describe, expect, it } from 'vitest';
import { faultOf } from '../../bench/support/plans/plan-fault.js';

const LARGE = { isSmall: false };
const reads = (rows: number, ...wholeTables: string[]) => ({ rows, wholeTables });

describe('what is wrong with a plan', () => {
  it('a statement about one user may read the rows that one user has, and no more', () => {
    expect(faultOf(reads(5), {}, LARGE)).toBeUndefined();
    expect(faultOf(reads(100), {}, LARGE)).toBe('READS 100 ROWS, MORE THAN ONE USER HAS');
  });

  it('a list may read the rows of a page, and not all of a table', () => {
    const list = { beyondOneUser: 'a list' };
    expect(faultOf(reads(100), list, LARGE)).toBeUndefined();
    expect(faultOf(reads(10_001), list, LARGE)).toBe('READS TOO MANY ROWS');
    expect(faultOf(reads(1, 'users'), list, LARGE)).toBe('READS ALL OF users');
  });

  it('a statement with a reason may read a whole table', () => {
    expect(faultOf(reads(1_000_000, 'users'), { readsMany: 'all are counted' }, LARGE)).toBeUndefined();
  });

  it('a reason that is good for a small population is none for a large one', () => {
    const lookup = { readsManyIfSmall: 'all sessions are counted' };
    expect(faultOf(reads(20_000, 'sessions'), lookup, { isSmall: true })).toBeUndefined();
    expect(faultOf(reads(20_000, 'sessions'), lookup, LARGE)).toBe('READS ALL OF sessions');
  });
});
