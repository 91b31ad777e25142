import { describe, expect, it } from 'vitest';
import { hanging } from './hanging.js';

describe('a text beside a lead', () => {
  it('a text that fits stays in one line', () => {
    expect(hanging('yes  a  ', 'entitled; granted', 40)).toEqual(['yes  a  entitled; granted']);
  });

  it('a long text is wrapped between words in its column', () => {
    expect(hanging('no  李  ', 'entitled to it; denied by a team of theirs', 34)).toEqual([
      'no  李  entitled to it; denied by',
      '        a team of theirs',
    ]);
  });

  it('a long word stays whole, and a narrow terminal still gets a few columns', () => {
    const id = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';
    expect(hanging('no  ', `team ${id} says so`, 10)).toEqual(['no  team', `    ${id}`, '    says so']);
  });
});
