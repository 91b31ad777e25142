import { describe, expect, it } from 'vitest';
import { messageOf, readImportFile, readUsers } from '../../../../../test/support/source-entries.js';
import { parseFirebaseHashConfig } from './firebase-hash.js';

// The example of https://github.com/firebase/scrypt.
const PARAMETERS = {
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
};
const PREFIX = `$firebase-scrypt$m=14,r=8,ss=Bw,sk=${PARAMETERS.signerKey.replace(/=+$/, '')}`;
const SALT = '42xEC-ixf3L2lw==';
const HASH = 'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==';
const STORED = `${PREFIX}$42xEC+ixf3L2lw$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ`;

/** A user as `firebase auth:export` writes it. */
const ann = {
  localId: 'abc123def456',
  email: 'ann@example.com',
  emailVerified: true,
  passwordHash: HASH,
  salt: SALT,
  displayName: 'Ann Berg',
  photoUrl: 'https://example.com/ann.png',
  lastSignedInAt: '1714564800000',
  createdAt: '1714564800000',
  phoneNumber: '+493012345678',
  customAttributes: '{"admin":true}',
  providerUserInfo: [],
};
const jsonOf = (...users: readonly object[]): string => JSON.stringify({ users }, null, 2);
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
    passwordHash: STORED,
    lastLoginAt: '2024-05-01T12:00:00.000Z',
    createdAt: '2024-05-01T12:00:00.000Z',
    legacyIds: { firebase: 'abc123def456' },
  },
  notes: [],
};

describe('an export of Firebase', () => {
  it('as JSON gives profile, password and state of a user, and no claims', async () => {
    expect(await readUsers('firebase', jsonOf(ann), { firebase: PARAMETERS })).toEqual([expected]);
    expect(
      await readUsers('firebase', jsonOf({ ...ann, disabled: true }), { firebase: PARAMETERS }),
    ).toMatchObject([{ record: { isActive: false } }]);
  });

  it('as CSV has no header, and quotation marks that are not doubled', async () => {
    const hash = HASH.replaceAll('_', '/').replaceAll('-', '+');
    const row = `abc123def456,ann@example.com,true,${hash},42xEC+ixf3L2lw==,"Berg, Ann "Annie"",https://example.com/ann.png,,,,,,,,,,,,,,,,,1714564800000,1714564800000,+493012345678,,"{""admin"":true}",`;
    const older = 'x1,bob@example.com,false,,,Bob,,77,bob@example.com,Bob,,,,,,,,,,,,,,1714564800000,,,true,';
    const users = await readUsers('firebase', `${row}\r\n${older}\n`, { firebase: PARAMETERS });
    expect(users).toMatchObject([
      { record: { ...expected.record, fullName: expect.stringContaining('Annie') as string } },
      {
        record: {
          email: 'bob@example.com',
          isEmailVerified: false,
          fullName: 'Bob',
          authProvider: 'google',
          isActive: false,
          legacyIds: { firebase: 'x1' },
        },
      },
    ]);
  });

  it('gives the subjects of Google and GitHub, and notes what is left out', async () => {
    const providerUserInfo = [
      { providerId: 'password', rawId: 'ann@example.com' },
      { providerId: 'google.com', rawId: '108204268033311374519' },
      { providerId: 'github.com', rawId: '583231' },
      { providerId: 'microsoft.com', rawId: '4cf0a301-69f5-5031' },
    ];
    const [user] = await readUsers('firebase', JSON.stringify({ users: [{ ...ann, providerUserInfo }] }));
    expect(user).toMatchObject({
      record: {
        identities: [
          { provider: 'google', subject: '108204268033311374519' },
          { provider: 'github', subject: '583231' },
        ],
      },
      notes: expect.arrayContaining(['A sign-in with another provider is left out.']) as unknown,
    });
  });

  it('gives a fault for a row with other columns', async () => {
    expect(await readUsers('firebase', 'a,b,c\n')).toEqual([
      { fault: 'The row has 3 columns instead of 28.' },
    ]);
  });

  it('gives no passwords without the parameters of the project', async () => {
    expect(await readUsers('firebase', jsonOf(ann))).toMatchObject([
      {
        record: { authProvider: 'password' },
        notes: ['The password is left out: the password hash parameters of the project are not given.'],
      },
    ]);
  });

  it('notes a damaged hash and factors, and gives a fault for a user without an address', async () => {
    const damaged = { ...ann, salt: undefined, mfaInfo: [{ mfaEnrollmentId: 'x', phoneInfo: '+49301' }] };
    const users = await readUsers('firebase', jsonOf(damaged, { ...ann, email: undefined }), {
      firebase: PARAMETERS,
    });
    expect(users).toMatchObject([
      {
        notes: [
          'The password hash or its salt is damaged. The user needs a new password.',
          'The second factor cannot be carried over: the user sets up a new one.',
        ],
      },
      { fault: 'The user has no email address.' },
    ]);
  });

  it.each([
    ['google.com', 'google'],
    ['microsoft.com', 'microsoft'],
    ['saml.acme', 'sso'],
    ['github.com', 'other'],
    ['phone', 'password'],
  ])('names the provider %s of users without a password', async (providerId, authProvider) => {
    const user = { ...ann, passwordHash: undefined, providerUserInfo: [{ providerId, rawId: '1' }] };
    expect(await readUsers('firebase', jsonOf(user))).toMatchObject([{ record: { authProvider } }]);
  });
});

describe('the password hash parameters of Firebase', () => {
  it('are read from the text that the console shows', () => {
    const text = `hash_config {
      algorithm: SCRYPT,
      base64_signer_key: ${PARAMETERS.signerKey},
      base64_salt_separator: Bw==,
      rounds: 8,
      mem_cost: 14,
    }`;
    expect(parseFirebaseHashConfig(text)).toEqual(PARAMETERS);
  });

  it.each([
    '',
    'hash_config { algorithm: BCRYPT }',
    'algorithm: HMAC_SHA256, base64_signer_key: eA==',
    'base64_signer_key: ???',
  ])('are rejected if they are not of Firebase: %j', (text) => {
    expect(() => parseFirebaseHashConfig(text)).toThrow(/password hash parameters/);
  });

  it.each([
    { signerKey: 'not base64!' },
    { signerKey: 'eA==', rounds: 9 },
    { signerKey: 'eA==', memCost: 1.5 },
  ])('are rejected before the file is read: %j', async (firebase) => {
    expect(messageOf(await readImportFile('firebase', jsonOf(ann), { firebase }))).toContain(
      'validation_error: The password hash parameters of Firebase are not valid',
    );
  });
});
