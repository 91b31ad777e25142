import { describe, expect, it } from 'vitest';
import { strengthOf } from './password-strength.js';

const AROUND = { minLength: 8, email: 'Jane.Doe-42@example.com', brand: 'Acme Portal' };

describe('the strength of a password', () => {
  it.each([
    ['short', 'too_short'],
    ['aaaaaaaa', 'too_common'],
    ['abcabcabc', 'too_common'],
    ['12345678', 'too_common'],
    ['qwertz123', 'too_common'],
    ['Welcome1!', 'too_common'],
    ['passwortpasswort', 'too_common'],
    ['acme portal', 'too_common'],
    ['ＡＣＭＥ portal!', 'too_common'],
    ['jane.doe-42', 'like_email'],
    ['JANE.DOE-42@example.com', 'like_email'],
  ])('%s is weak: %s', (password, weakness) => {
    expect(strengthOf(password, AROUND)).toEqual({ level: 1, weakness });
  });

  it.each([
    ['ab12ab12ab', 2],
    ['kvbwtrqm', 2],
    ['correct horse', 3],
    ['tea-kettle7', 3],
    ['a long walk home in the rain', 4],
  ])('%s has the level %d', (password, level) => {
    expect(strengthOf(password, AROUND)).toEqual({ level });
  });

  it('an email that is not known makes no password weak', () => {
    expect(strengthOf('jane.doe-42', { ...AROUND, email: '' }).weakness).toBeUndefined();
  });
});
