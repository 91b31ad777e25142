import { describe, expect, it } from 'vitest';
import { jsonLines, readUsers } from '../../../../../test/support/source-entries.js';

const BCRYPT = '$2b$10$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2';

/** A line of the bulk user export. */
const profile = {
  user_id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
  email: 'Ann.Berg@example.com',
  email_verified: true,
  name: 'ann.berg@example.com',
  given_name: 'Ann',
  family_name: 'Berg',
  nickname: 'ann.berg',
  picture: 'https://example.com/ann.png',
  phone_number: '+493012345678',
  created_at: '2019-12-06T18:36:12.412Z',
  last_login: '2024-05-01T12:00:00.000Z',
  identities: [
    { user_id: '5dea9f9c82dd7c0e76e4ec93', provider: 'auth0', connection: 'Users', isSocial: false },
  ],
  app_metadata: { roles: ['admin'] },
};

/** A line of the export of password hashes. */
const hash = {
  _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
  email: 'ann.berg@example.com',
  email_verified: false,
  passwordHash: BCRYPT,
  password_set_date: { $date: '2019-12-06T18:36:12.412Z' },
  tenant: 'example',
  connection: 'Username-Password-Authentication',
  _tmp_is_unique: true,
};

describe('a bulk user export of Auth0', () => {
  it('gives the profile, the id and the state of a user, and no rights', async () => {
    expect(await readUsers('auth0', jsonLines(profile))).toEqual([
      {
        record: {
          email: 'Ann.Berg@example.com',
          isEmailVerified: true,
          fullName: 'Ann Berg',
          phonePrefix: '+49',
          phoneNumber: '3012345678',
          profilePictureUrl: 'https://example.com/ann.png',
          authProvider: 'password',
          isActive: true,
          lastLoginAt: '2024-05-01T12:00:00.000Z',
          createdAt: '2019-12-06T18:36:12.412Z',
          legacyIds: { auth0: 'auth0|5dea9f9c82dd7c0e76e4ec93' },
        },
        notes: [],
      },
    ]);
  });

  it('may be a JSON array, and the pages of the Management API', async () => {
    expect(await readUsers('auth0', JSON.stringify([profile, profile], null, 2))).toHaveLength(2);
    expect(await readUsers('auth0', JSON.stringify({ start: 0, users: [profile], total: 1 }))).toHaveLength(
      1,
    );
  });

  it.each([
    ['ann.berg@bücher.example', 'ann.berg@xn--bcher-kva.example'],
    ['ann.berg@xn--bcher-kva.example', 'Ann.Berg@Bücher.example'],
    [' ANN.BERG@example.com ', 'ann.berg@example.com'],
  ])('does not take the address %j of %j for a name', async (name, email) => {
    expect(await readUsers('auth0', jsonLines({ ...profile, name, email }))).toMatchObject([
      { record: { fullName: 'Ann Berg' } },
    ]);
  });

  it('gives blocked users as inactive', async () => {
    expect(await readUsers('auth0', jsonLines({ ...profile, blocked: true }))).toMatchObject([
      { record: { isActive: false } },
    ]);
  });

  it.each([
    ['google-oauth2|1', 'google'],
    ['windowslive|1', 'microsoft'],
    ['samlp|acme|1', 'sso'],
    ['github|1', 'other'],
  ])('names the provider of %s', async (userId, authProvider) => {
    const identities = [{ provider: userId.split('|')[0] }];
    expect(await readUsers('auth0', jsonLines({ ...profile, user_id: userId, identities }))).toMatchObject([
      { record: { authProvider }, notes: ['A sign-in with another provider is left out.'] },
    ]);
  });

  it('keeps the subjects of Google and GitHub, and takes no address and no id of another kind for one', async () => {
    const identities = [
      ...profile.identities,
      { provider: 'google-oauth2', user_id: '108204268033311374519', connection: 'google-oauth2' },
      { provider: 'github', user_id: 583231, connection: 'github' },
      { provider: 'google-oauth2', user_id: 'ann@example.com', connection: 'google-oauth2' },
      { provider: 'windowslive', user_id: '4cf0a30169f55031', connection: 'windowslive' },
    ];
    expect(await readUsers('auth0', jsonLines({ ...profile, identities }))).toMatchObject([
      {
        record: {
          identities: [
            { provider: 'google', subject: '108204268033311374519' },
            { provider: 'github', subject: '583231' },
          ],
        },
        notes: [
          'A sign-in with another provider is left out: the export names an address in place of its subject.',
          'A sign-in with another provider is left out.',
        ],
      },
    ]);
  });

  it('carries the secrets of authenticator apps over where the file has them, and notes lost factors', async () => {
    const withSecret = { ...profile, mfa_factors: [{ totp: { secret: 'jbsw y3dp ehpk 3pxp' } }] };
    const users = await readUsers('auth0', jsonLines(withSecret, { ...profile, multifactor: ['guardian'] }));
    expect(users).toMatchObject([
      { record: { totp: [{ secret: 'JBSWY3DPEHPK3PXP' }] }, notes: [] },
      { notes: ['The second factor is not in the export: the user sets up a new one.'] },
    ]);
  });

  it('gives a fault for a user without an address', async () => {
    expect(await readUsers('auth0', jsonLines({ ...profile, email: undefined }))).toEqual([
      { fault: 'The user has no email address.' },
    ]);
  });
});

describe('an export of password hashes of Auth0', () => {
  it('gives the hash, and does not state whether the user is blocked', async () => {
    expect(await readUsers('auth0', jsonLines(hash))).toEqual([
      {
        record: {
          email: 'ann.berg@example.com',
          isEmailVerified: false,
          authProvider: 'password',
          passwordHash: BCRYPT,
          passwordChangedAt: '2019-12-06T18:36:12.412Z',
          legacyIds: { auth0: 'auth0|5dea9f9c82dd7c0e76e4ec93' },
        },
        notes: [],
      },
    ]);
  });

  it('has the ids of custom databases, and addresses among the identifiers', async () => {
    const identifiers = [
      { type: 'username', value: 'ann' },
      { type: 'email', value: 'ann@example.com', verified: true },
    ];
    const other = { _id: hash._id, alt_id: 'euclid', identifiers, passwordHash: BCRYPT };
    expect(await readUsers('auth0', jsonLines(other))).toMatchObject([
      { record: { email: 'ann@example.com', isEmailVerified: true, legacyIds: { auth0: 'auth0|euclid' } } },
    ]);
  });

  it.each([
    ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$ZGlnZXN0', true],
    ['$sha512-crypt$rounds=1$x', false],
    ['0123456789abcdef', false],
  ])('has the hash %s, which is kept: %s', async (passwordHash, isKept) => {
    const [user] = await readUsers('auth0', jsonLines({ ...hash, passwordHash }));
    expect(user?.record?.passwordHash).toBe(isKept ? passwordHash : undefined);
    expect(user?.notes?.length).toBe(isKept ? 0 : 1);
  });
});

describe('the hash with which a user was imported into Auth0', () => {
  const readWith = async (custom_password_hash: unknown) => {
    const [user] = await readUsers('auth0', jsonLines({ ...profile, custom_password_hash }));
    return user;
  };

  it.each([
    ['bcrypt', BCRYPT],
    ['pbkdf2', '$pbkdf2-sha512$i=1000,l=64$c2FsdHNhbHQ$ZGlnZXN0ZGlnZXN0'],
    ['argon2', '$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$ZGlnZXN0ZGlnZXN0'],
  ])('is kept if it names its parameters: %s', async (algorithm, value) => {
    expect(await readWith({ algorithm, hash: { value } })).toMatchObject({
      record: { passwordHash: value },
      notes: [],
    });
  });

  it.each([
    { algorithm: 'md5', hash: { value: 'x', encoding: 'hex' } },
    { algorithm: 'bcrypt', hash: { value: BCRYPT }, password: { encoding: 'utf16le' } },
    { algorithm: 'scrypt', hash: { value: 'x', encoding: 'base64' }, salt: { value: 'y' } },
    { algorithm: 'bcrypt', hash: { value: 7 } },
    'nonsense',
  ])('is left out with a note otherwise: %j', async (custom) => {
    const user = await readWith(custom);
    expect(user).toMatchObject({
      notes: [expect.stringMatching(/password hash is of .* needs a new password/)],
    });
    expect(user).not.toHaveProperty('record.passwordHash');
  });

  it('a time that cannot be read is noted', async () => {
    const [user] = await readUsers('auth0', jsonLines({ ...profile, created_at: 'yesterday' }));
    expect(user).toMatchObject({ notes: ['The time in created_at cannot be read and is left out.'] });
  });
});
