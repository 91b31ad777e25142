import { describe, expect, it } from 'vitest';
import { AuthError } from '../kernel/auth-error.js';
import { PasswordPolicy, type PasswordContext } from './password-policy.js';

const open = new PasswordPolicy({ minLength: 8, blocklist: false });
const guarded = new PasswordPolicy({ minLength: 8, blocklist: true });

async function objection(
  policy: PasswordPolicy,
  password: string,
  context?: PasswordContext,
): Promise<string | undefined> {
  try {
    await policy.check(password, context);
    return undefined;
  } catch (error) {
    if (AuthError.is(error) && error.code === 'validation_error') return error.message;
    throw error;
  }
}

describe('the length of a password', () => {
  it.each([
    ['7 characters', 'abcdefg'],
    ['an empty text', ''],
    ['7 emoji of two UTF-16 units each', '🔑'.repeat(7)],
  ])('is too short with %s', async (_name, password) => {
    expect(await objection(open, password)).toBe('password: must have at least 8 characters');
  });

  it.each([
    ['8 characters', 'abcdefgh'],
    ['8 emoji', '🔑'.repeat(8)],
    ['256 characters', 'a'.repeat(256)],
    ['256 emoji, which are 1,024 bytes', '🔑'.repeat(256)],
    ['8 spaces, which are not trimmed', ' '.repeat(8)],
  ])('is accepted with %s', async (_name, password) => {
    expect(await objection(open, password)).toBeUndefined();
  });

  it('is too long with 257 characters', async () => {
    expect(await objection(open, 'a'.repeat(257))).toBe('password: must have at most 256 characters');
  });

  it('is counted after normalization, which expands U+FDFA to 18 characters', async () => {
    expect(await objection(open, '\uFDFA')).toBeUndefined();
    expect(await objection(open, '\uFDFA'.repeat(14))).toBeUndefined();
    expect(await objection(open, '\uFDFA'.repeat(15))).toBe('password: must have at most 256 characters');
  });

  it('counts letters with combining marks as one when they compose', async () => {
    expect(await objection(open, 'e\u0301'.repeat(7))).toBe('password: must have at least 8 characters');
    expect(await objection(open, 'e\u0301'.repeat(256))).toBeUndefined();
  });

  it('is also limited in bytes, before normalization', async () => {
    const jamo = '\u1112\u1161\u11ab';
    expect(await objection(open, jamo.repeat(113))).toBeUndefined();
    expect(await objection(open, jamo.repeat(114))).toBe('password: must have at most 1024 bytes');
    expect(await objection(open, 'a'.repeat(1_000_000))).toBe('password: must have at most 1024 bytes');
  });

  it('follows a higher configured minimum', async () => {
    const strict = new PasswordPolicy({ minLength: 12, blocklist: true });
    expect(await objection(strict, 'elevenchars')).toBe('password: must have at least 12 characters');
    expect(await objection(strict, 'twelve-chars')).toBeUndefined();
  });

  it.each([7, 8.5, 257, Number.NaN])('cannot be configured to %d', (minLength) => {
    expect(() => new PasswordPolicy({ minLength, blocklist: false })).toThrow(TypeError);
  });
});

describe('the text of a password', () => {
  it.each(['abc\0defgh', '\0'.repeat(8)])('must not contain NUL', async (password) => {
    expect(await objection(open, password)).toBe('password: must not contain a NUL character');
  });

  it.each(['abcdefgh\uD800', '\uDC00abcdefgh', 'abcd\uDC00\uD800efgh'])(
    'must not contain lone surrogates',
    async (password) => {
      expect(await objection(open, password)).toBe('password: must be valid Unicode text');
    },
  );

  it.each(['\uFEFFabcdefg', '\u202Eabcdefg', "'; DROP TABLE users;--", '{{7*7}}${x}'])(
    'may otherwise be any text: %j',
    async (password) => {
      expect(await objection(open, password)).toBeUndefined();
    },
  );

  it('is reported under the name of its input field', async () => {
    expect(await objection(open, 'short', { field: 'newPassword' })).toMatch(/^newPassword: /);
  });
});

describe('the blocklist', () => {
  it.each(['password1', 'PassWord1', '12345678', 'qwertyuiop', 'ｐａｓｓｗｏｒｄ１'])(
    'refuses the common password %s',
    async (password) => {
      expect(await objection(guarded, password)).toBe('password: is one of the most common passwords');
    },
  );

  it('refuses the brand name that an installation gives the product', async () => {
    const branded = new PasswordPolicy({ minLength: 8, blocklist: true, brandName: 'Acme Portal' });
    expect(await objection(branded, 'acme portal')).toBe('password: must not be the name of this product');
    expect(await objection(branded, 'latchkey')).toBe('password: must not be the name of this product');
  });

  it.each(['latchkey', 'LatchKey'])('refuses the product name as %s', async (password) => {
    expect(await objection(guarded, password)).toBe('password: must not be the name of this product');
  });

  it.each(['jane.doe-42', 'JANE.Doe-42'])('refuses the local part of the email as %s', async (password) => {
    const message = await objection(guarded, password, { email: ' Jane.Doe-42@example.com ' });
    expect(message).toBe('password: must not be the name in the email address');
  });

  it.each([
    ['abcdefgh', 'must not be a sequence of the alphabet, the digits or a keyboard'],
    ['aaaaaaaa', 'must not be the same characters again and again'],
    ['Welcome1!', 'must not be a common word with digits or punctuation added'],
    ['Summer2024', 'must not be a common word with digits or punctuation added'],
    ['passwordpassword', 'is one of the most common passwords'],
    ['acme1234', 'must not be the name of this product'],
    ['Latchkey!!', 'must not be the name of this product'],
    ['jane.doe-42jane.doe-42', 'must not be the name in the email address'],
    ['Jane.Doe2024', 'must not be the name in the email address'],
  ])('refuses %s', async (password, reason) => {
    const branded = new PasswordPolicy({ minLength: 8, blocklist: true, brandName: 'Acme Portal' });
    expect(await objection(branded, password, { email: 'jane.doe-42@example.com' })).toBe(
      `password: ${reason}`,
    );
  });

  it('that is off logs that it would reject a password, without the password, and logs nothing for others', async () => {
    const lines: string[] = [];
    const write = (details: object, message: string) => void lines.push(JSON.stringify(details) + message);
    const logger = { debug: write, info: write, warn: write, error: write };
    const policy = new PasswordPolicy({ minLength: 8, blocklist: false, logger });
    expect(await objection(policy, 'a long walk home')).toBeUndefined();
    expect(await objection(policy, 'short')).toBeDefined();
    expect(lines).toEqual([]);
    expect(await objection(policy, 'Summer2024')).toBeUndefined();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('production refuses this password');
    expect(lines[0]?.toLowerCase()).not.toContain('summer');
  });

  it.each(['password1 but longer', 'correct horse battery', 'my latchkey', 'dog48291745', 'example.com'])(
    'accepts longer texts such as %j',
    async (password) => {
      expect(await objection(guarded, password, { email: 'jane.doe-42@example.com' })).toBeUndefined();
    },
  );

  it.each(['password1', 'latchkey', 'jane.doe-42'])('accepts %s when it is off', async (password) => {
    expect(await objection(open, password, { email: 'jane.doe-42@example.com' })).toBeUndefined();
  });
});

describe('every fault of a password', () => {
  it('is reported in one error', async () => {
    expect(await objection(guarded, '123456')).toBe(
      'password: must have at least 8 characters; password: is one of the most common passwords',
    );
    expect(await objection(guarded, 'jane', { email: 'jane@example.com', field: 'newPassword' })).toBe(
      'newPassword: must have at least 8 characters; newPassword: must not be the name in the email address',
    );
  });

  it('is found in an unchecked input, with the email of the same input', async () => {
    expect(await guarded.faultsIn({ password: 'jane', email: ' JANE@example.com' })).toEqual([
      { pointer: '/password', reason: 'too_short', message: 'must have at least 8 characters' },
      { pointer: '/password', reason: 'like_email', message: 'must not be the name in the email address' },
    ]);
    expect(await guarded.faultsIn({ newPassword: 'x' }, { field: 'newPassword' })).toMatchObject([
      { pointer: '/newPassword', reason: 'too_short' },
    ]);
  });

  it.each([undefined, null, 'text', 5, [], {}, { password: 5 }, { password: null }])(
    'is not reported for %j, which contains no password',
    async (input) => {
      expect(await guarded.faultsIn(input)).toEqual([]);
    },
  );
});

describe('a list of breached passwords', () => {
  const asked: string[] = [];
  const breached = {
    includes: (password: string) => {
      asked.push(password);
      return Promise.resolve(password === 'a long walk home');
    },
  };
  const informed = new PasswordPolicy({ minLength: 8, blocklist: true, breached });
  const MESSAGE = 'is known from a data breach; choose another one, which is used nowhere else';

  it('refuses its passwords and accepts others', async () => {
    expect(await objection(informed, 'a long walk home')).toBe(`password: ${MESSAGE}`);
    expect(await objection(informed, 'a long walk back')).toBeUndefined();
    expect(await informed.faultsIn({ newPassword: 'a long walk home' }, { field: 'newPassword' })).toEqual([
      { pointer: '/newPassword', reason: 'breached', message: MESSAGE },
    ]);
  });

  it('gets every password as it was typed, and none that another rule refuses', async () => {
    asked.length = 0;
    await objection(informed, 'short');
    await objection(informed, 'Summer2024');
    expect(asked).toEqual([]);
    await objection(informed, 'cafe\u0301 du monde');
    expect(asked).toEqual(['cafe\u0301 du monde']);
  });
});
