import { describe, expect, it } from 'vitest';
import { bestMatches, type Company } from './company.js';

const ID = '0199a2f0-0000-7000-8000-00000000000a';
const acme: Company = { id: ID, code: 'ACME', name: 'Acme Ltd' };
const namesake: Company = { id: '0199a2f0-0000-7000-8000-00000000000b', code: 'A2', name: 'ACME' };
const odd: Company = { id: '0199a2f0-0000-7000-8000-00000000000c', code: null, name: null };

describe('the best matches of an identifier', () => {
  it('an id takes precedence over a code, and a code over a name', () => {
    const codedLikeAnId: Company = { ...namesake, code: ID };
    expect(bestMatches([codedLikeAnId, acme], ID)).toEqual([acme]);
    expect(bestMatches([namesake, acme], 'acme')).toEqual([acme]);
  });

  it('identifiers are compared in any case', () => {
    expect(bestMatches([acme, odd], ID.toUpperCase())).toEqual([acme]);
    expect(bestMatches([acme, odd], 'aCmE lTd')).toEqual([acme]);
  });

  it('all companies that fit equally well are returned', () => {
    const twin = { ...namesake, name: 'Acme Ltd' };
    expect(bestMatches([acme, twin, odd], 'acme ltd')).toEqual([acme, twin]);
  });

  it('a company that a join repeats is one company', () => {
    expect(bestMatches([acme, { ...acme }], 'acme')).toEqual([acme]);
  });

  it('companies that a query found by other means count if no field fits', () => {
    expect(bestMatches([acme, odd], 'VAT-123')).toEqual([acme, odd]);
    expect(bestMatches([], 'VAT-123')).toEqual([]);
  });
});
