import { describe, expect, it } from 'vitest';
import { bestMatches, type Company } from './company.js';

const ID = '0199a2f0-0000-7000-8000-00000000000a';
const acme: Company = { id: ID, code: 'ACME', name: 'Acme Ltd' };
const namesake: Company = { id: '0199a2f0-0000-7000-8000-00000000000b', code: 'A2', name: 'ACME' };
const odd: Company = { id: '0199a2f0-0000-7000-8000-00000000000c', code: null, name: null };

describe('the best matches of an identifier', () => {
  it('an id goes before a code, a code before a name', () => {
    const codedLikeAnId: Company = { ...namesake, code: ID };
    expect(bestMatches([codedLikeAnId, acme], ID)).toEqual([acme]);
    expect(bestMatches([namesake, acme], 'acme')).toEqual([acme]);
  });

  it('case does not count', () => {
    expect(bestMatches([acme, odd], ID.toUpperCase())).toEqual([acme]);
    expect(bestMatches([acme, odd], 'aCmE lTd')).toEqual([acme]);
  });

  it('all that fit equally well come back', () => {
    const twin = { ...namesake, name: 'Acme Ltd' };
    expect(bestMatches([acme, twin, odd], 'acme ltd')).toEqual([acme, twin]);
  });

  it('a company that a join repeats is one company', () => {
    expect(bestMatches([acme, { ...acme }], 'acme')).toEqual([acme]);
  });

  it('what a query found by other means counts when no field fits', () => {
    expect(bestMatches([acme, odd], 'VAT-123')).toEqual([acme, odd]);
    expect(bestMatches([], 'VAT-123')).toEqual([]);
  });
});
