import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jsonLines, readUsers } from '../../../../../test/support/source-entries.js';

const SALT = '0123456789abcdef0123456789abcdef';
const KEY = 'ab'.repeat(64);

/** A line of the query of docs/migrating/better-auth.md. */
const ann = {
  user: {
    id: 'Zk3vQ1',
    name: 'Ann Berg',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://example.com/ann.png',
    createdAt: '2024-05-01T12:00:00.000Z',
    updatedAt: '2024-05-01T12:00:00.000Z',
    role: 'admin',
    banned: false,
    banExpires: null,
    phoneNumber: '+493012345678',
    username: 'annb',
  },
  accounts: [
    { providerId: 'github', accountId: '583231', password: null },
    { providerId: 'credential', password: `${SALT}:${KEY}` },
  ],
  twoFactor: false,
};
const recordOf = async (line: object) => (await readUsers('better-auth', jsonLines(line)))[0];

describe('the users of Better Auth', () => {
  const expected = {
    record: {
      email: 'ann@example.com',
      isEmailVerified: true,
      fullName: 'Ann Berg',
      phonePrefix: '+49',
      phoneNumber: '3012345678',
      profilePictureUrl: 'https://example.com/ann.png',
      authProvider: 'password',
      isActive: true,
      passwordHash: `$scrypt$ln=14,r=16,p=1$${Buffer.from(SALT).toString('base64').replace(/=+$/, '')}$${Buffer.from(KEY, 'hex').toString('base64').replace(/=+$/, '')}`,
      createdAt: '2024-05-01T12:00:00.000Z',
      identities: [{ provider: 'github', subject: '583231' }],
      legacyIds: { 'better-auth': 'Zk3vQ1', 'better-auth-username': 'annb' },
    },
    notes: [],
  };

  it('keep the accounts at other services whose subjects are in the file, and no address as one', async () => {
    const accounts = [
      { provider_id: 'google', account_id: '108204268033311374519' },
      { provider_id: 'okta', account_id: 'ann@example.com' },
      { provider_id: 'apple' },
    ];
    expect(await recordOf({ ...ann, accounts })).toMatchObject({
      record: { identities: [{ provider: 'google', subject: '108204268033311374519' }] },
      notes: [
        'A sign-in with another provider is left out: the export names an address in place of its subject.',
        'A sign-in with another provider is left out.',
      ],
    });
  });

  it('are read with their password, and without their role', async () => {
    expect(await recordOf(ann)).toEqual(expected);
  });

  it('may have columns in snake case', async () => {
    const { emailVerified, createdAt, phoneNumber, ...user } = ann.user;
    const snake = {
      ...user,
      email_verified: emailVerified,
      created_at: createdAt,
      phone_number: phoneNumber,
    };
    const accounts = [{ provider_id: 'credential', password: `${SALT}:${KEY}` }];
    const { identities: _none, ...record } = expected.record;
    expect(await recordOf({ ...ann, user: snake, accounts })).toEqual({ record, notes: [] });
  });

  it('have the hash that Better Auth makes of the text of the salt', async () => {
    const options = { N: 16384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
    const key = scryptSync('correct horse', SALT, 64, options);
    const user = await recordOf({
      ...ann,
      accounts: [{ providerId: 'credential', password: `${SALT}:${key.toString('hex')}` }],
    });
    const [, , , salt = '', digest = ''] = (user!.record!.passwordHash as string).split('$');
    const again = scryptSync('correct horse', Buffer.from(salt, 'base64'), 64, options);
    expect(again.equals(Buffer.from(digest, 'base64'))).toBe(true);
  });

  it('may have hashes of an own function: known ones are kept, others noted', async () => {
    const bcrypt = '$2b$10$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2';
    expect(
      await recordOf({ ...ann, accounts: [{ providerId: 'credential', password: bcrypt }] }),
    ).toMatchObject({
      record: { passwordHash: bcrypt },
    });
    expect(
      await recordOf({ ...ann, accounts: [{ providerId: 'credential', password: 'x:y' }] }),
    ).toMatchObject({
      notes: ['The password hash is of an unknown scheme. The user needs a new password.'],
    });
  });

  it.each([
    [{ twoFactor: true }],
    [{ twoFactor: { secret: 'encrypted' } }],
    [{ user: { ...ann.user, twoFactorEnabled: true } }],
  ])('lose their second factor, which is noted: %#', async (change) => {
    expect((await recordOf({ ...ann, ...change }))?.notes).toEqual([
      'The second factor is encrypted with the key of Better Auth: the user sets up a new one.',
    ]);
  });

  it('are inactive while they are banned', async () => {
    const banned = (banExpires: string | null) =>
      recordOf({ ...ann, user: { ...ann.user, banned: true, banExpires } });
    expect(await banned(null)).toMatchObject({ record: { isActive: false }, notes: [] });
    expect(await banned('2020-01-01T00:00:00Z')).toMatchObject({ record: { isActive: true }, notes: [] });
    const [note] = (await banned(new Date(Date.now() + 3_600_000).toISOString()))?.notes ?? [];
    expect(note).toContain('banned for a time only');
  });

  it.each([
    ['google', 'google'],
    ['microsoft', 'microsoft'],
    ['github', 'other'],
    ['acme-oidc', 'sso'],
  ])('without a password have the provider %s', async (providerId, authProvider) => {
    expect(await recordOf({ ...ann, accounts: [{ providerId }] })).toMatchObject({
      record: { authProvider },
    });
  });

  it('are a fault if they are anonymous or have no address', async () => {
    expect(await recordOf({ ...ann, user: { ...ann.user, isAnonymous: true } })).toEqual({
      fault: 'The user is anonymous.',
    });
    expect(await recordOf({ user: { id: '1' } })).toEqual({ fault: 'The user has no email address.' });
  });
});
