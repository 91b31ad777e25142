import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuthError } from './auth-error.js';
import { checkInput } from './check-input.js';
import { checkId } from './uuid-input.js';

const person = z.object({
  name: z.string().trim().min(1),
  age: z.int().min(0, 'must be positive').optional(),
});

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (AuthError.is(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'no refusal';
};

describe('an input that is checked', () => {
  it('comes out as its schema makes it, without what the schema does not know', () => {
    expect(checkInput(person, { name: ' Ada ', admin: true })).toEqual({ name: 'Ada' });
  });

  it('is refused with the name of each offending field and why', () => {
    expect(refusal(() => checkInput(person, { age: -1 }))).toBe(
      'validation_error name: is required; age: must be positive',
    );
  });

  it.each([
    [undefined, 'is required'],
    [null, 'must be of type object, not null'],
    ['Ada', 'must be of type object, not string'],
    [42, 'must be of type object, not number'],
    [[], 'must be of type object, not array'],
  ])('%j is no object with fields', (input, reason) => {
    expect(refusal(() => checkInput(person, input))).toBe(`validation_error body: ${reason}`);
  });

  it('is told apart from one that is missing when it is of a wrong type', () => {
    expect(refusal(() => checkInput(person, { name: 5 }))).toBe(
      'validation_error name: must be of type string, not number',
    );
  });

  it.each([
    [{ name: 'a\0b' }, 'name: contains a NUL or an unpaired surrogate'],
    [{ name: 'Ada', unknown: ['\ud800'] }, 'unknown.0: contains a NUL or an unpaired surrogate'],
    [{ 'a\0': 1 }, 'body: a field name contains a NUL or an unpaired surrogate'],
  ])('%j holds text that cannot be stored', (input, message) => {
    expect(refusal(() => checkInput(person, input))).toBe(`validation_error ${message}`);
  });

  it('that holds itself is refused instead of followed for ever', () => {
    const input: Record<string, unknown> = { name: 'Ada' };
    input.self = input;
    expect(refusal(() => checkInput(person, input))).toContain('nested deeper than 32 levels');
  });
});

describe('an id', () => {
  it('may be written in any case', () => {
    expect(checkId('018F4E66-0000-7000-8000-00000000ABCD')).toBe('018f4e66-0000-7000-8000-00000000abcd');
  });

  it.each([
    '',
    ' ',
    '42',
    '{018f4e66-0000-7000-8000-00000000abcd}',
    "' OR 1=1",
    ' 018f4e66-0000-7000-8000-00000000abcd',
  ])('%j is none', (text) => {
    expect(refusal(() => checkId(text, 'companyId'))).toBe('validation_error companyId: must be a UUID');
  });

  it('with a NUL is refused by name', () => {
    expect(refusal(() => checkId('\0', 'companyId'))).toContain('validation_error companyId: contains a NUL');
  });
});
