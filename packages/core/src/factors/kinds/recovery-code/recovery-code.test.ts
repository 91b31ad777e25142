import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../kernel/secret.js';
import { digestOfRecoveryCode, generateRecoveryCodes } from './recovery-code.js';

describe('a recovery code', () => {
  it('a set has ten different codes of 75 bits that are easy to read', () => {
    const codes = generateRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){2}[0-9a-hjkmnp-tv-z]{5}$/);
  });

  it('a code is recognized in every way that people type it', () => {
    const digest = digestOf('0123456789abcde');
    for (const typed of [
      '01234-56789-abcde',
      '0123456789ABCDE',
      ' ol234 56789 abcde',
      'O-I-2345678 9aBcDe\t',
      '０１２３４‐５６７８９‐ａｂｃｄｅ',
    ]) {
      expect(digestOfRecoveryCode(typed), typed).toEqual(digest);
    }
  });

  it.each(['', '-', '0123456789abcd', '0123456789abcdef', '0123456789abcdu', '0123456789abcd!'])(
    'the text %j can be no code',
    (typed) => {
      expect(digestOfRecoveryCode(typed)).toBeUndefined();
    },
  );
});
