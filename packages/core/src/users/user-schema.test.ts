import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  createUserInput,
  fullNameInput,
  machineCreateUserInput,
  machineUserPatchInput,
  profilePatchInput,
  toProfileView,
  toUserView,
  userFilter,
  userPatchInput,
  userView,
} from './user-schema.js';
import type { User } from './user.js';

const messages = (schema: z.ZodType, input: unknown): string[] =>
  schema.safeParse(input).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('a new user', () => {
  it('a new user needs only an email', () => {
    expect(createUserInput.parse({ email: ' Ada@Example.com ' })).toEqual({
      email: 'ada@example.com',
      authProvider: 'password',
      globalRole: 'NONE',
      approvalStatus: 'APPROVED',
      isActive: true,
    });
  });

  it('empty contact fields count as omitted', () => {
    const user = createUserInput.parse({
      email: 'a@b.de',
      phonePrefix: '',
      phoneNumber: '',
      profilePictureUrl: '',
    });
    expect([user.phonePrefix, user.phoneNumber, user.profilePictureUrl]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(['facebook', '', 'Password', null])('the auth provider %j is rejected', (authProvider) => {
    expect(createUserInput.safeParse({ email: 'a@b.de', authProvider }).success).toBe(false);
  });

  it('unknown fields of a new user are dropped', () => {
    const text = '{"email":"a@b.de","id":"x","tokenVersion":9,"__proto__":{"globalRole":"PLATFORM_ADMIN"}}';
    const user = createUserInput.parse(JSON.parse(text));
    expect(Object.keys(user)).toEqual(['email', 'authProvider', 'globalRole', 'approvalStatus', 'isActive']);
    expect(user.globalRole).toBe('NONE');
  });
});

describe('legacy identifiers', () => {
  const legacyIds = (text: string) =>
    machineCreateUserInput.safeParse({ email: 'a@b.de', legacyIds: JSON.parse(text) as unknown });

  it('legacy identifiers are kept as given', () => {
    expect(legacyIds('{"crm":"4711","constructor":"x"}').data?.legacyIds).toEqual({
      crm: '4711',
      constructor: 'x',
    });
  });

  it('legacy identifiers cannot reach a prototype', () => {
    const parsed = legacyIds('{"__proto__":"x","crm":"1"}').data?.legacyIds;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed ?? {})).toEqual(['crm']);
  });

  it.each(['{"a":1}', '{"":"x"}', '[]', 'null', `{"a":"${'x'.repeat(201)}"}`])(
    'legacy identifiers %s are rejected',
    (text) => {
      expect(legacyIds(text).success).toBe(false);
    },
  );

  it('a user has at most fifty legacy identifiers', () => {
    const ids = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'])));
    expect(legacyIds(ids(50)).success).toBe(true);
    expect(legacyIds(ids(51)).success).toBe(false);
  });
});

describe('a patch', () => {
  it.each([profilePatchInput, userPatchInput, machineUserPatchInput])(
    'a patch must change something',
    (schema) => {
      expect(messages(schema, {})).toEqual([': at least one field to change is needed']);
      expect(schema.safeParse({ foo: 1 }).success).toBe(false);
    },
  );

  it('an empty string, which clears a contact field, counts as a change', () => {
    const patch = { phonePrefix: '', phoneNumber: '', profilePictureUrl: '', locale: '' };
    expect(profilePatchInput.parse(patch)).toEqual(patch);
  });

  it('users change only their profile', () => {
    const status = {
      globalRole: 'PLATFORM_ADMIN',
      approvalStatus: 'APPROVED',
      isActive: true,
      email: 'x@y.de',
    };
    expect(profilePatchInput.parse({ fullName: 'Ada', ...status })).toEqual({ fullName: 'Ada' });
  });

  it('only a machine can change an email', () => {
    expect(userPatchInput.safeParse({ email: 'x@y.de' }).success).toBe(false);
    expect(machineUserPatchInput.parse({ email: 'X@Y.de' })).toEqual({ email: 'x@y.de' });
  });

  it.each([
    { isActive: null },
    { isActive: 'false' },
    { isActive: 0 },
    { globalRole: 'none' },
    { globalRole: 'TENANT_SUPERADMIN' },
    { approvalStatus: 'approved' },
    { fullName: '' },
    { fullName: null },
    { phonePrefix: null },
  ])('the patch %j is rejected', (patch) => {
    expect(userPatchInput.safeParse(patch).success).toBe(false);
  });
});

describe('contact fields', () => {
  const accepts = (field: string) => (value: string) =>
    profilePatchInput.safeParse({ [field]: value }).success;

  it('a dial code has one to four digits and no leading zero', () => {
    const texts = ['+1', '+49', '+1684', '49', '+', '+0', '+049', '+12345', '+4 9', '+٤٩', '0049', '+49\n'];
    expect(texts.filter(accepts('phonePrefix'))).toEqual(['+1', '+49', '+1684']);
  });

  it('a phone number has four to fifteen digits', () => {
    const texts = [
      '1234',
      '1'.repeat(15),
      '123',
      '1'.repeat(16),
      '12 34',
      '12-34',
      '٣٤٥٦',
      '1e10',
      '１２３４',
    ];
    expect(texts.filter(accepts('phoneNumber'))).toEqual(['1234', '1'.repeat(15)]);
  });

  it('a picture has an absolute http(s) URL', () => {
    const good = ['https://example.com/a.png', 'http://example.com', 'HTTPS://EXAMPLE.com/ü?a=b#c'];
    expect(good.filter(accepts('profilePictureUrl'))).toEqual(good);
  });

  it.each([
    'example.com/a.png',
    '//example.com/a.png',
    '/a.png',
    'https:/example.com',
    'https:example.com',
    'https:\\\\example.com',
    'https://',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    ' https://example.com',
    'https://example.com/a b',
    'https://exam\nple.com',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('%j is not a URL of a picture', (text) => {
    expect(accepts('profilePictureUrl')(text)).toBe(false);
  });

  it('a rejected field says what is expected', () => {
    expect(
      messages(profilePatchInput, { phonePrefix: '049', phoneNumber: 'x', profilePictureUrl: 'x' }),
    ).toEqual([
      'phonePrefix: must be a dial code such as +49',
      'phoneNumber: must be 4 to 15 digits without the dial code',
      'profilePictureUrl: must be an http(s) URL without credentials',
    ]);
  });
});

describe('a full name', () => {
  it('a full name is trimmed and otherwise kept', () => {
    expect(fullNameInput.parse('  Ada \u202e {{7*7}} 👩‍💻 ')).toBe('Ada \u202e {{7*7}} 👩‍💻');
  });

  it.each(['', '   ', '\t\n', 'a'.repeat(201), 1, [], {}])('%j is not a full name', (name) => {
    expect(fullNameInput.safeParse(name).success).toBe(false);
  });
});

describe('the filter of a list', () => {
  it('the filter accepts true and false only', () => {
    expect(userFilter.parse({ isActive: 'true' })).toEqual({ isActive: true });
    expect(userFilter.parse({ isActive: 'false' })).toEqual({ isActive: false });
    for (const isActive of ['', '1', 'TRUE', 'yes']) {
      expect(userFilter.safeParse({ isActive }).success).toBe(false);
    }
  });

  it('an empty search is rejected and does not list all users', () => {
    expect(userFilter.safeParse({ search: ' ' }).success).toBe(false);
  });
});

describe('a user as clients see one', () => {
  const user: User = {
    id: '01890000-0000-7000-8000-000000000001',
    email: 'ada@example.com',
    fullName: null,
    phonePrefix: null,
    phoneNumber: null,
    profilePictureUrl: null,
    locale: null,
    authProvider: 'password',
    globalRole: 'NONE',
    approvalStatus: 'APPROVED',
    isActive: true,
    tokenVersion: 1,
    legacyIds: { crm: '1' },
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    updatedAt: new Date('2026-01-02T03:04:05.678Z'),
    lastLoginAt: null,
    deleteAt: null,
    erasedAt: null,
    emailVerifiedAt: null,
  };

  it('unset fields of a user are omitted, except the name', () => {
    expect(toProfileView(user)).toEqual({ id: user.id, email: user.email, fullName: null, name: null });
    expect(toUserView(user)).not.toHaveProperty('lastLoginAt');
    expect(toUserView(user)).not.toHaveProperty('emailVerifiedAt');
  });

  it('a user has the name in two fields, and times have milliseconds', () => {
    const view = toUserView({ ...user, fullName: 'Ada', lastLoginAt: user.createdAt });
    expect(view).toMatchObject({ fullName: 'Ada', name: 'Ada', lastLoginAt: '2026-01-02T03:04:05.678Z' });
  });

  it('legacy identifiers are shown to machines only', () => {
    expect(userView.parse(toUserView(user))).not.toHaveProperty('legacyIds');
  });
});
