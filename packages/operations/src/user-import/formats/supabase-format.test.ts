import { describe, expect, it } from 'vitest';
import { jsonLines, readUsers } from '../../../../../test/support/source-entries.js';

const BCRYPT = '$2a$10$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2';

/** A row of `auth.users` as `to_jsonb` writes it. */
const ann = {
  instance_id: '00000000-0000-0000-0000-000000000000',
  id: 'f2b0c9a1-5a0e-4c55-8d21-6cb1a1b0c9aa',
  aud: 'authenticated',
  role: 'service_role',
  email: 'ann@example.com',
  encrypted_password: BCRYPT,
  email_confirmed_at: '2024-05-01T12:00:00.123456+00:00',
  last_sign_in_at: null,
  raw_app_meta_data: { provider: 'email', providers: ['email'], role: 'admin' },
  raw_user_meta_data: { full_name: 'Ann  Berg', avatar_url: 'https://example.com/ann.png' },
  is_super_admin: true,
  created_at: '2024-05-01T12:00:00+00:00',
  phone: '493012345678',
  banned_until: null,
  deleted_at: null,
};
const recordOf = async (user: object) => (await readUsers('supabase', jsonLines(user)))[0];

describe('the users of Supabase', () => {
  const expected = {
    record: {
      email: 'ann@example.com',
      isEmailVerified: true,
      emailVerifiedAt: '2024-05-01T12:00:00.123Z',
      fullName: 'Ann Berg',
      phonePrefix: '+49',
      phoneNumber: '3012345678',
      profilePictureUrl: 'https://example.com/ann.png',
      authProvider: 'password',
      isActive: true,
      passwordHash: BCRYPT,
      createdAt: '2024-05-01T12:00:00.000Z',
      legacyIds: { supabase: ann.id },
    },
    notes: [],
  };

  it('are read from JSON lines and from a JSON array, without rights', async () => {
    expect(await readUsers('supabase', jsonLines(ann))).toEqual([expected]);
    expect(await readUsers('supabase', JSON.stringify([ann], null, 2))).toEqual([expected]);
  });

  it('are read from the CSV of a query', async () => {
    const header =
      'instance_id,id,aud,role,email,encrypted_password,email_confirmed_at,raw_user_meta_data,created_at,phone,banned_until,deleted_at';
    const metadata = '"{""full_name"": ""Ann Berg"", ""avatar_url"": ""https://example.com/ann.png""}"';
    const row = `${ann.instance_id},${ann.id},authenticated,service_role,ann@example.com,${BCRYPT},2024-05-01 12:00:00.123456+00,${metadata},2024-05-01 12:00:00+00,493012345678,,`;
    expect(await readUsers('supabase', `${header}\n${row}\n`)).toEqual([expected]);
  });

  it('are inactive while they are banned', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect(await recordOf({ ...ann, banned_until: '2020-01-01T00:00:00Z' })).toMatchObject({
      record: { isActive: true },
      notes: [],
    });
    expect(await recordOf({ ...ann, banned_until: 'infinity' })).toMatchObject({
      record: { isActive: false },
      notes: [],
    });
    expect(await recordOf({ ...ann, banned_until: later })).toMatchObject({
      record: { isActive: false },
      notes: ['The user is banned for a time only: activate the user when it has ended.'],
    });
  });

  it.each([
    [{ ...ann, deleted_at: '2024-05-01T12:00:00Z' }, 'The user is deleted in the source.'],
    [{ ...ann, email: null }, 'The user has no email address.'],
  ])('are a fault if they are deleted or have no address: %#', async (user, fault) => {
    expect(await recordOf(user)).toEqual({ fault });
  });

  it.each([
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=c2lnbmVyIGtleQ==$c2FsdA==$ZGlnZXN0',
    '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$ZGlnZXN0',
  ])('may have the hash %s', async (hash) => {
    expect(await recordOf({ ...ann, encrypted_password: hash })).toMatchObject({
      record: { passwordHash: hash },
      notes: [],
    });
  });

  it('have accounts at other services if the query adds them, and a note where it does not', async () => {
    const raw_app_meta_data = { provider: 'email', providers: ['email', 'google'] };
    const identities = [
      { provider: 'email', provider_id: 'a0e8', identity_data: { email: 'ann@example.com' } },
      { provider: 'google', provider_id: '108204268033311374519', identity_data: { sub: 'other' } },
      { provider: 'azure', identity_data: { sub: 'AAAAAbbbbb' } },
      { provider: 'keycloak', provider_id: 'ann@example.com' },
    ];
    const lines = [
      { ...ann, raw_app_meta_data, identities },
      { ...ann, raw_app_meta_data },
    ];
    expect(await readUsers('supabase', jsonLines(...lines))).toMatchObject([
      {
        record: {
          identities: [
            { provider: 'google', subject: '108204268033311374519' },
            { provider: 'microsoft', subject: 'AAAAAbbbbb' },
          ],
        },
        notes: [
          'A sign-in with another provider is left out: the export names an address in place of its subject.',
        ],
      },
      { notes: ['The sign-in with another provider is not in the export: add the rows of auth.identities.'] },
    ]);
  });

  it('have authenticator apps if the query adds them', async () => {
    const mfa_factors = [
      {
        factor_type: 'totp',
        status: 'verified',
        secret: 'JBSWY3DPEHPK3PXP',
        friendly_name: 'Phone',
        created_at: '2024-05-01T12:00:00+00:00',
      },
      { factor_type: 'totp', status: 'unverified', secret: 'AAAAAAAAAAAAAAAA' },
      { factor_type: 'phone', status: 'verified', phone: '49301' },
    ];
    expect(await recordOf({ ...ann, mfa_factors })).toMatchObject({
      record: {
        totp: [{ secret: 'JBSWY3DPEHPK3PXP', name: 'Phone', confirmedAt: '2024-05-01T12:00:00.000Z' }],
      },
      notes: ['A second factor cannot be carried over: the user sets up a new one.'],
    });
  });

  it.each([
    ['google', 'google'],
    ['azure', 'microsoft'],
    ['sso:1234', 'sso'],
    ['github', 'other'],
  ])('without a password have the provider %s', async (provider, authProvider) => {
    const user = { ...ann, encrypted_password: '', raw_app_meta_data: JSON.stringify({ provider }) };
    expect(await recordOf(user)).toMatchObject({ record: { authProvider } });
  });
});
