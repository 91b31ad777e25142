import { describe, expect, it } from 'vitest';
import { readEntitlements } from './entitlements-answer.js';

const FULL = { modules: ['a', 'a', 'b'], accessPolicyMode: 'ENFORCED', permissions: ['read'] };
const READ = {
  modules: new Set(['a', 'b']),
  accessPolicyMode: 'ENFORCED',
  permissions: new Set(['read']),
  requireSecondFactor: false,
};

describe('an answer that fits', () => {
  it('an answer is parsed with or without the envelope', () => {
    expect(readEntitlements(FULL)).toEqual(READ);
    expect(readEntitlements({ success: true, data: FULL })).toEqual(READ);
  });

  it('an answer may have unknown fields', () => {
    expect(readEntitlements({ ...FULL, companyId: 'x', plan: { name: 'gold' } })).toEqual(READ);
  });

  it('an answer may name the company, and a name that is not plain is ignored', () => {
    expect(readEntitlements({ ...FULL, name: 'Söhne & Co.' })).toEqual({ ...READ, name: 'Söhne & Co.' });
    for (const name of ['', 'a'.repeat(81), 'https://evil.example', 'two\nlines', null, 7, { en: 'Acme' }]) {
      expect(readEntitlements({ ...FULL, name })).toEqual(READ);
    }
  });

  it('an answer without a mode is LEGACY, and without permissions caps none', () => {
    expect(readEntitlements({ modules: [] })).toEqual({
      modules: new Set(),
      accessPolicyMode: 'LEGACY',
      permissions: undefined,
      requireSecondFactor: false,
    });
  });
});

it.each([
  [null],
  ['text'],
  [[]],
  [{}],
  [['a']],
  [{ modules: 'x' }],
  [{ modules: null }],
  [{ modules: { a: true } }],
  [{ modules: ['a', 1] }],
  [{ modules: ['a', ''] }],
  [{ modules: ['a'.repeat(201)] }],
  [{ modules: ['a'], accessPolicyMode: 'STRICT' }],
  [{ modules: ['a'], accessPolicyMode: 'enforced' }],
  [{ modules: ['a'], accessPolicyMode: null }],
  [{ modules: ['a'], permissions: null }],
  [{ modules: ['a'], permissions: 'read' }],
  [{ success: false, data: { modules: ['a'] } }],
  [{ success: 'true', data: { modules: ['a'] } }],
  [{ success: true, modules: ['a'] }],
  [{ success: true, data: [{ modules: ['a'] }] }],
  [{ data: { modules: ['a'] } }],
])('the answer %j is rejected', (input) => {
  expect(() => readEntitlements(input)).toThrow();
});
