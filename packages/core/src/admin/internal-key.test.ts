import { describe, expect, it } from 'vitest';
import { InternalKey } from './internal-key.js';

describe('an internal key', () => {
  it('an internal key is accepted exactly as configured, the old one beside the new', () => {
    const keys = new InternalKey(['old-key-0123456789', 'new-key-0123456789']);
    expect(keys.accepts('old-key-0123456789')).toBe(true);
    expect(keys.accepts('new-key-0123456789')).toBe(true);
    for (const wrong of [
      '',
      'OLD-KEY-0123456789',
      'old-key-012345678',
      'old-key-0123456789,new-key-0123456789',
    ]) {
      expect(keys.accepts(wrong)).toBe(false);
    }
  });

  it.each(['', ' ', 'undefined', 'null', 'false', '[object Object]'])(
    'without a configured key %j is rejected',
    (presented) => {
      expect(new InternalKey([]).accepts(presented)).toBe(false);
    },
  );

  it('an empty text is never an internal key', () => {
    expect(new InternalKey(['']).accepts('')).toBe(false);
  });
});
