import { describe, expect, it } from 'vitest';
import { prefixOf, idRangeOf } from './id-prefix.js';
import { newId } from './id.js';

describe('a prefix', () => {
  it('a prefix is normalised to the spelling in which ids and emails are stored', () => {
    expect(prefixOf(' Ada@ ')).toBe('ada@');
  });

  it.each(['', '   ', 'ada', ' ada '])('the prefix %j is rejected because it is too short', (text) => {
    expect(() => prefixOf(text)).toThrow(expect.objectContaining({ code: 'validation_error' }) as Error);
  });
});

describe('the ids that begin with', () => {
  it.each([
    ['0198', '01980000-0000-0000-0000-000000000000', '0198ffff-ffff-ffff-ffff-ffffffffffff'],
    ['01981f3e-', '01981f3e-0000-0000-0000-000000000000', '01981f3e-ffff-ffff-ffff-ffffffffffff'],
    ['01981f3e-5c1a-7', '01981f3e-5c1a-7000-0000-000000000000', '01981f3e-5c1a-7fff-ffff-ffffffffffff'],
  ])('the ids that begin with %s form a range', (prefix, first, last) => {
    expect(idRangeOf(prefix)).toEqual({ first, last });
  });

  it('the range of a whole id holds that id alone', () => {
    const id = newId();
    expect(idRangeOf(id)).toEqual({ first: id, last: id });
  });

  it.each(['ada@', '01981f3e5', '0198-', '01981f3g', `${newId()}0`, '0198%'])(
    'no id begins with %s',
    (prefix) => {
      expect(idRangeOf(prefix)).toBeUndefined();
    },
  );
});
