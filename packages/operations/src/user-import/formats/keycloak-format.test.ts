import { describe, expect, it } from 'vitest';
import { readUsers } from '../../../../../test/support/source-entries.js';

const SALT = 'c2FsdCBvZiAxNiBieXRlcw==';
const DIGEST = 'ZGlnZXN0IG9mIHRoZSBwYXNzd29yZCwgMzIgYnl0ZXM=';

const passwordWith = (credentialData: object) => ({
  id: 'c9a1',
  type: 'password',
  userLabel: 'My password',
  createdDate: 1714564800000,
  secretData: JSON.stringify({ value: DIGEST, salt: SALT, additionalParameters: {} }),
  credentialData: JSON.stringify(credentialData),
});
const pbkdf2 = passwordWith({ hashIterations: 210000, algorithm: 'pbkdf2-sha512', additionalParameters: {} });

const appWith = (credentialData: object, value = 'n3VxmB8cL0qT2wYzA5Ks') => ({
  id: 'd7b2',
  type: 'otp',
  userLabel: 'Phone of Ann',
  createdDate: 1714564800000,
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({
    subType: 'totp',
    digits: 6,
    counter: 0,
    period: 30,
    algorithm: 'HmacSHA1',
    ...credentialData,
  }),
});

/** A user as `kc.sh export` writes it. */
const ann = {
  id: 'f2b0c9a1-5a0e-4c55-8d21-6cb1a1b0c9aa',
  username: 'ann',
  firstName: 'Ann',
  lastName: 'Berg',
  email: 'ann@example.com',
  emailVerified: true,
  attributes: { phoneNumber: ['+493012345678'], picture: ['https://example.com/ann.png'], locale: ['de'] },
  createdTimestamp: 1714564800000,
  enabled: true,
  totp: false,
  credentials: [pbkdf2],
  disableableCredentialTypes: [],
  requiredActions: [],
  realmRoles: ['default-roles-acme', 'admin'],
  clientRoles: { 'realm-management': ['realm-admin'] },
  notBefore: 0,
  groups: ['/staff'],
};
const realm = (...users: readonly object[]): string =>
  JSON.stringify(
    { id: 'acme', realm: 'acme', roles: { realm: [{ name: 'admin' }] }, users, clients: [{ id: 'x' }] },
    null,
    2,
  );
const recordOf = async (user: object) => (await readUsers('keycloak', realm(user)))[0];

describe('a realm export of Keycloak', () => {
  it('gives the profile, the password and the state of a user, and no rights', async () => {
    expect(await readUsers('keycloak', realm(ann))).toEqual([
      {
        record: {
          email: 'ann@example.com',
          isEmailVerified: true,
          fullName: 'Ann Berg',
          phonePrefix: '+49',
          phoneNumber: '3012345678',
          profilePictureUrl: 'https://example.com/ann.png',
          locale: 'de',
          authProvider: 'password',
          isActive: true,
          passwordHash: `$pbkdf2-sha512$i=210000$${SALT.replace(/=+$/, '')}$${DIGEST.replace(/=+$/, '')}`,
          passwordChangedAt: '2024-05-01T12:00:00.000Z',
          createdAt: '2024-05-01T12:00:00.000Z',
          legacyIds: { keycloak: ann.id, 'keycloak-username': 'ann' },
        },
        notes: [],
      },
    ]);
  });

  it('may be the users of a file alone, or a list of them', async () => {
    expect(await readUsers('keycloak', JSON.stringify({ realm: 'acme', users: [ann, ann] }))).toHaveLength(2);
    expect(await readUsers('keycloak', JSON.stringify([ann]))).toHaveLength(1);
  });

  it('gives disabled users as inactive', async () => {
    expect(await recordOf({ ...ann, enabled: false })).toMatchObject({ record: { isActive: false } });
  });

  it('takes a username for the address if it is one, and never as verified', async () => {
    expect(await recordOf({ ...ann, email: undefined, username: 'ann@example.com' })).toMatchObject({
      record: { email: 'ann@example.com', isEmailVerified: false, legacyIds: { keycloak: ann.id } },
    });
  });

  it.each([
    [{ ...ann, email: undefined }, 'The user has no email address.'],
    [
      { ...ann, serviceAccountClientId: 'x' },
      'The entry is the service account of a client. Create a service token instead.',
    ],
    [{ realm: 'acme', users: [] }, 'The entry is a whole realm. Export one realm: kc.sh export --realm.'],
  ])('gives a fault for an entry that is no user: %#', async (user, fault) => {
    expect(await recordOf(user)).toEqual({ fault });
  });

  it.each([
    [[{ identityProvider: 'google', userId: '1', userName: 'ann' }], 'google'],
    [[{ identityProvider: 'acme-saml', userId: '1', userName: 'ann' }], 'sso'],
  ])('names the provider of users without a password: %#', async (federatedIdentities, authProvider) => {
    expect(await recordOf({ ...ann, credentials: [], federatedIdentities })).toMatchObject({
      record: { authProvider },
    });
  });
});

describe('a password of Keycloak', () => {
  const argon2 = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] };

  it.each([
    [{ hashIterations: 27500, algorithm: 'pbkdf2-sha256' }, '$pbkdf2-sha256$i=27500'],
    [{ hashIterations: 20000, algorithm: 'pbkdf2' }, '$pbkdf2-sha1$i=20000'],
    [
      { hashIterations: 5, algorithm: 'argon2', additionalParameters: argon2 },
      '$argon2id$v=19$m=7168,t=5,p=1',
    ],
    [
      {
        hashIterations: 3,
        algorithm: 'argon2',
        additionalParameters: { ...argon2, type: ['i'], version: ['1.0'] },
      },
      '$argon2i$v=16$m=7168,t=3,p=1',
    ],
  ])('is carried over: %j', async (credentialData, prefix) => {
    const user = await recordOf({ ...ann, credentials: [passwordWith(credentialData)] });
    expect(user?.record?.passwordHash).toBe(
      `${prefix}$${SALT.replace(/=+$/, '')}$${DIGEST.replace(/=+$/, '')}`,
    );
  });

  it('of before version 8 is carried over', async () => {
    const old = {
      type: 'password',
      hashedSaltedValue: DIGEST,
      salt: SALT,
      hashIterations: 27500,
      algorithm: 'pbkdf2-sha256',
    };
    expect(await recordOf({ ...ann, credentials: [old] })).toMatchObject({
      record: { passwordHash: expect.stringMatching(/^\$pbkdf2-sha256\$i=27500\$/) as string },
    });
  });

  it.each([
    [{ hashIterations: 10, algorithm: 'bcrypt' }, 'is of the scheme bcrypt, which cannot be verified'],
    [{ hashIterations: 10, algorithm: 'a b' }, 'is of an unknown scheme'],
    [{ algorithm: 'pbkdf2-sha256' }, 'is of the scheme pbkdf2-sha256'],
    [
      { hashIterations: 5, algorithm: 'argon2', additionalParameters: { ...argon2, type: ['x'] } },
      'is of the scheme argon2',
    ],
    [{ hashIterations: 5, algorithm: 'toString' }, 'is of the scheme toString'],
  ])('of an unusable form is noted: %j', async (credentialData, note) => {
    const user = await recordOf({ ...ann, credentials: [passwordWith(credentialData)] });
    expect(user?.record).not.toHaveProperty('passwordHash');
    expect(user?.notes).toEqual([expect.stringContaining(note)]);
  });
});

describe('an authenticator app of Keycloak', () => {
  it('is carried over with its secret as text or in base32', async () => {
    const credentials = [pbkdf2, appWith({}), appWith({ secretEncoding: 'BASE32' }, 'JBSWY3DPEHPK3PXP')];
    expect(await recordOf({ ...ann, credentials })).toMatchObject({
      record: {
        totp: [
          // The base32 of the text, as in RFC 4648 section 6.
          {
            secret: 'NYZVM6DNII4GGTBQOFKDE52ZPJATKS3T',
            name: 'Phone of Ann',
            createdAt: '2024-05-01T12:00:00.000Z',
            confirmedAt: '2024-05-01T12:00:00.000Z',
          },
          { secret: 'JBSWY3DPEHPK3PXP' },
        ],
      },
      notes: [],
    });
  });

  it.each([
    { digits: 8 },
    { period: 60 },
    { algorithm: 'HmacSHA256' },
    { subType: 'hotp' },
    { secretEncoding: 'HEX' },
  ])('with other parameters is left out with a note: %j', async (credentialData) => {
    const user = await recordOf({ ...ann, credentials: [appWith(credentialData)] });
    expect(user?.record).not.toHaveProperty('totp');
    expect(user?.notes).toEqual([
      'An authenticator app is left out: its codes are not of SHA-1, 6 digits and 30 seconds.',
    ]);
  });

  it('is not a passkey or a recovery code: these are noted', async () => {
    const credentials = [{ type: 'webauthn-passwordless' }, { type: 'recovery-authn-codes' }];
    expect((await recordOf({ ...ann, credentials }))?.notes).toEqual([
      'Passkeys and security keys are bound to the domain of Keycloak and are left out.',
      'Recovery codes are left out: the user makes new ones.',
    ]);
  });
});
