import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuthError } from './auth-error.js';
import { checkInput, checkInputAlongside } from './check-input.js';
import type { FieldFault } from './field-fault.js';
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
  it('a checked input has the shape of its schema, without unknown fields', () => {
    expect(checkInput(person, { name: ' Ada ', admin: true })).toEqual({ name: 'Ada' });
  });

  it('an invalid input is rejected with each offending field and the reason', () => {
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
  ])('the input %j is rejected as it is no object with fields', (input, reason) => {
    expect(refusal(() => checkInput(person, input))).toBe(`validation_error body: ${reason}`);
  });

  it('an input of a wrong type is distinguished from a missing one', () => {
    expect(refusal(() => checkInput(person, { name: 5 }))).toBe(
      'validation_error name: must be of type string, not number',
    );
  });

  it.each([
    [{ name: 'a\0b' }, 'name: contains a NUL or an unpaired surrogate'],
    [{ name: 'Ada', unknown: ['\ud800'] }, 'unknown.0: contains a NUL or an unpaired surrogate'],
    [{ 'a\0': 1 }, 'body: a field name contains a NUL or an unpaired surrogate; name: is required'],
  ])('the input %j is rejected because its text cannot be stored', (input, message) => {
    expect(refusal(() => checkInput(person, input))).toBe(`validation_error ${message}`);
  });

  it('an input that contains itself is rejected instead of being followed endlessly', () => {
    const input: Record<string, unknown> = { name: 'Ada' };
    input.self = input;
    expect(refusal(() => checkInput(person, input))).toContain('nested deeper than 32 levels');
  });
});

describe('an id', () => {
  it('an id may be written in any case', () => {
    expect(checkId('018F4E66-0000-7000-8000-00000000ABCD')).toBe('018f4e66-0000-7000-8000-00000000abcd');
  });

  it.each([
    '',
    ' ',
    '42',
    '{018f4e66-0000-7000-8000-00000000abcd}',
    "' OR 1=1",
    ' 018f4e66-0000-7000-8000-00000000abcd',
  ])('%j is rejected as an id', (text) => {
    expect(refusal(() => checkId(text, 'companyId'))).toBe('validation_error companyId: must be a UUID');
  });

  it('an id with a NUL is rejected by its name', () => {
    expect(refusal(() => checkId('\0', 'companyId'))).toContain('validation_error companyId: contains a NUL');
  });
});

describe('the fields of a rejected input', () => {
  const fieldsOf = (work: () => unknown): readonly FieldFault[] => {
    try {
      work();
    } catch (error) {
      if (AuthError.is(error)) return error.fields;
      throw error;
    }
    return [];
  };
  const schema = z.object({
    name: z.string().trim().min(1).max(5),
    size: z.int().min(2).max(4),
    kind: z.enum(['', 'a', 'b', 'c']),
    one: z.literal('yes').optional(),
    phone: z.union([z.literal(''), z.string().regex(/^\d+$/, 'must be digits')]).optional(),
    keys: z.array(z.string().min(3)).max(2),
    ids: z.record(z.string().max(2), z.string()).optional(),
  });

  it('rejected fields have a JSON pointer, a reason and a message of ours', () => {
    const input = {
      name: ' ',
      size: 5,
      kind: 'd',
      one: 'no',
      phone: 7,
      keys: ['abc', 'x'],
      ids: { 'a/~b': 'c' },
    };
    expect(fieldsOf(() => checkInput(schema, input))).toEqual([
      { pointer: '/name', reason: 'too_short', message: 'must not be empty' },
      { pointer: '/size', reason: 'too_big', message: 'must be at most 4' },
      { pointer: '/kind', reason: 'not_allowed', message: 'must be one of a, b, c' },
      { pointer: '/one', reason: 'not_allowed', message: 'must be yes' },
      { pointer: '/phone', reason: 'type', message: 'must be of type string, not number' },
      { pointer: '/keys/1', reason: 'too_short', message: 'must have at least 3 characters' },
      { pointer: '/ids/a~1~0b', reason: 'format', message: 'does not have a name of the right form' },
    ]);
  });

  it('the faults of lengths, ranges and missing fields have different reasons', () => {
    const input = { name: 'abcdef', size: 1, kind: 'a', phone: 'x', keys: ['abc', 'abc', 'abc'] };
    expect(fieldsOf(() => checkInput(schema, input))).toEqual([
      { pointer: '/name', reason: 'too_long', message: 'must have at most 5 characters' },
      { pointer: '/size', reason: 'too_small', message: 'must be at least 2' },
      { pointer: '/phone', reason: 'format', message: 'must be digits' },
      { pointer: '/keys', reason: 'too_long', message: 'must have at most 2 elements' },
    ]);
    const missing = ['/name', '/size', '/kind', '/keys'];
    expect(fieldsOf(() => checkInput(schema, {}))).toEqual(
      missing.map((pointer) => ({ pointer, reason: 'required', message: 'is required' })),
    );
  });

  it('unclean text, faults of the schema and faults found alongside are reported at once', async () => {
    const input = { name: 'a\0', size: 'x', kind: 'a', keys: [] };
    const faults = [
      { pointer: '/size', reason: 'too_big' as const, message: 'is reported already' },
      { pointer: '/password', reason: 'too_short' as const, message: 'must have at least 8 characters' },
    ];
    await expect(checkInputAlongside(schema, input, () => Promise.resolve(faults))).rejects.toThrow(
      'name: contains a NUL or an unpaired surrogate; ' +
        'size: must be of type number, not string; password: must have at least 8 characters',
    );
  });

  it('the check alongside does not run while the input is valid', async () => {
    const alongside = () => Promise.reject(new Error('was called'));
    const good = { name: 'Ada', size: 2, kind: 'a', keys: [] };
    expect(await checkInputAlongside(schema, good, alongside)).toEqual(good);
  });

  it('the fault of an input without fields names the input itself', () => {
    expect(fieldsOf(() => checkId('x', 'companyId'))).toEqual([
      { pointer: '/companyId', reason: 'format', message: 'must be a UUID' },
    ]);
    expect(fieldsOf(() => checkInput(schema, 5))).toMatchObject([{ pointer: '', reason: 'type' }]);
  });

  it('at most 50 faults are reported, and the message says how many more there are', () => {
    const keys = z.object({ keys: z.array(z.string().min(3)) });
    const work = () => checkInput(keys, { keys: Array.from({ length: 1000 }, () => 'x') });
    expect(fieldsOf(work)).toHaveLength(50);
    expect(refusal(work)).toMatch(/; and 950 more$/);
  });
});
