import { describe, expect, it } from 'vitest';
import { readUsers } from '../../../../../test/support/source-entries.js';

const BCRYPT = '$2b$10$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2';
const HEADER =
  'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher';
const csvOf = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n');

describe('the CSV of the dashboard of Clerk', () => {
  it('gives profile, password and authenticator app of a user', async () => {
    const row = `user_2YDry,Ann,Berg,annb,ann@example.com,+493012345678,"ann@example.com|other@example.com",,+493012345678,,JBSWY3DPEHPK3PXP,${BCRYPT},bcrypt`;
    expect(await readUsers('clerk', csvOf(row))).toEqual([
      {
        record: {
          email: 'ann@example.com',
          isEmailVerified: true,
          fullName: 'Ann Berg',
          phonePrefix: '+49',
          phoneNumber: '3012345678',
          authProvider: 'password',
          isActive: true,
          passwordHash: BCRYPT,
          totp: [{ secret: 'JBSWY3DPEHPK3PXP' }],
          legacyIds: { clerk: 'user_2YDry', 'clerk-username': 'annb' },
        },
        notes: [],
      },
    ]);
  });

  it('compares verified addresses as they are stored, and leaves out what a database writes for no value', async () => {
    const users = await readUsers(
      'clerk',
      csvOf(
        'user_1,Jo,Doe,,Jo@Example.com,,jo@example.com,,,,,,',
        'user_2,NULL,\\N,,ida@bücher.example,,Ida@xn--bcher-kva.example,,,,,,',
      ),
    );
    expect(users).toMatchObject([
      { record: { email: 'Jo@Example.com', isEmailVerified: true } },
      { record: { isEmailVerified: true } },
    ]);
    expect(users[1]).not.toHaveProperty('record.fullName');
  });

  it('states which addresses are verified, and has users without a primary one', async () => {
    const users = await readUsers('clerk', csvOf('user_1,,,,,,,bob@example.com,,,,,', 'user_2,,,x,,,,,,,,,'));
    expect(users).toMatchObject([
      { record: { email: 'bob@example.com', isEmailVerified: false } },
      { fault: 'The user has no email address.' },
    ]);
  });

  const DJANGO = 'pbkdf2_sha256$260000$c2FsdA$ZGlnZXN0ZGlnZXN0';
  it.each([
    ['argon2id', '$argon2id$v=19$m=64,t=4,p=8$Z2liZXJyaXNo$iGXEpMBTDYQ8G', undefined],
    ['phpass', '$P$BIRXVj/ZG0YRiBH8gnRy0x72BXxKoZ1', undefined],
    ['pbkdf2_sha256_django', DJANGO, undefined],
    ['pbkdf2_sha256', DJANGO, '$pbkdf2-sha256$i=260000$c2FsdA$ZGlnZXN0ZGlnZXN0'],
    ['pbkdf2_sha1', 'pbkdf2_sha1$1000$salt$6469676573', '$pbkdf2-sha1$i=1000$c2FsdA$ZGlnZXM'],
    [
      'scrypt_firebase',
      'ZGlnZXN0$c2FsdA==$a2V5$Bw==$8$14',
      '$firebase-scrypt$m=14,r=8,ss=Bw,sk=a2V5$c2FsdA$ZGlnZXN0',
    ],
    ['scrypt_werkzeug', 'scrypt:32768:8:1$salt$6469676573', '$scrypt$ln=15,r=8,p=1$c2FsdA$ZGlnZXM'],
  ])('gives the digest of the hasher %s', async (hasher, digest, stored = digest) => {
    const [user] = await readUsers('clerk', csvOf(`user_1,,,,ann@example.com,,,,,,,"${digest}",${hasher}`));
    expect(user).toMatchObject({ record: { passwordHash: stored }, notes: [] });
  });

  it.each(['md5', 'sha256', 'bcrypt_peppered', 'awscognito', 'scrypt_firebase', 'toString'])(
    'notes a digest of the hasher %s that cannot be verified',
    async (hasher) => {
      const [user] = await readUsers(
        'clerk',
        csvOf(`user_1,,,,ann@example.com,,,,,,,5f4dcc3b5aa765d6,${hasher}`),
      );
      expect(user?.record).not.toHaveProperty('passwordHash');
      expect(user?.notes).toEqual([
        `The password hash is of the scheme ${hasher}, which cannot be verified. The user needs a new password.`,
      ]);
    },
  );
});

describe('the users of the Backend API of Clerk', () => {
  const ann = {
    id: 'user_2YDry',
    object: 'user',
    external_id: '4711',
    primary_email_address_id: 'idn_2',
    primary_phone_number_id: 'idn_3',
    username: null,
    first_name: 'Ann',
    last_name: 'Berg',
    has_image: true,
    image_url: 'https://example.com/ann.png',
    email_addresses: [
      { id: 'idn_1', email_address: 'other@example.com', verification: { status: 'verified' } },
      { id: 'idn_2', email_address: 'ann@example.com', verification: { status: 'unverified' } },
    ],
    phone_numbers: [{ id: 'idn_3', phone_number: '+12125550100', verification: { status: 'verified' } }],
    external_accounts: [
      { provider: 'oauth_google', provider_user_id: '108204268033311374519' },
      { provider: 'oauth_microsoft', provider_user_id: '4cf0a30169f55031' },
    ],
    public_metadata: { role: 'admin' },
    password_enabled: true,
    two_factor_enabled: true,
    totp_enabled: true,
    backup_code_enabled: true,
    banned: true,
    created_at: 1714564800000,
    last_sign_in_at: 1714564800000,
  };

  it.each([
    ['a list', JSON.stringify([ann])],
    ['a page', JSON.stringify({ data: [ann], total_count: 1 }, null, 2)],
  ])('are read from %s, with notes on what it does not have', async (_what, content) => {
    expect(await readUsers('clerk', content)).toEqual([
      {
        record: {
          email: 'ann@example.com',
          isEmailVerified: false,
          fullName: 'Ann Berg',
          phonePrefix: '+1',
          phoneNumber: '2125550100',
          profilePictureUrl: 'https://example.com/ann.png',
          authProvider: 'google',
          identities: [{ provider: 'google', subject: '108204268033311374519' }],
          isActive: false,
          lastLoginAt: '2024-05-01T12:00:00.000Z',
          createdAt: '2024-05-01T12:00:00.000Z',
          legacyIds: { clerk: 'user_2YDry', 'clerk-external': '4711' },
        },
        notes: [
          'A sign-in with another provider is left out.',
          'The password is not in this export: export the CSV of the dashboard.',
          'The second factor is not in this export: export the CSV of the dashboard.',
          'Backup codes are left out: the user makes new recovery codes.',
        ],
      },
    ]);
  });
});
