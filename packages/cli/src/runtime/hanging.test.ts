import { describe, expect, it } from 'vitest';
import { hanging } from './hanging.js';

describe('a text beside a lead', () => {
  it('stays in one line where there is room', () => {
    expect(hanging('yes  a  ', 'entitled; granted', 40)).toEqual(['yes  a  entitled; granted']);
  });

  it('is broken between words and stays in its column', () => {
    expect(hanging('no  李  ', 'entitled to it; denied by a team of theirs', 34)).toEqual([
      'no  李  entitled to it; denied by',
      '        a team of theirs',
    ]);
  });

  it('keeps a word whole that does not fit, and uses a few columns however narrow it is', () => {
    const id = '01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55';
    expect(hanging('no  ', `team ${id} says so`, 10)).toEqual(['no  team', `    ${id}`, '    says so']);
  });
});
