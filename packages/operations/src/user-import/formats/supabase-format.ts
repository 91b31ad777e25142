import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { knownHash } from './foreign-hash.js';
import { phoneFields } from './phone-number.js';
import { fullNameOf, labelOf, legacyIdsOf, pictureUrlOf } from './profile-text.js';
import type { MappedUser } from './source-entry.js';
import type { SourceFormat } from './source-format.js';
import { identitiesOf } from './source-identities.js';
import { firstText, objectOf, objectsOf, type SourceObject, textOf } from './source-object.js';
import { millisecondsOf, notedTimeOf, timeOf } from './source-time.js';
import { base32SecretOf } from './totp-secret.js';

/**
 * Rows of `auth.users`, as CSV of the dashboard or `COPY`, or as JSON of `to_jsonb`. The columns are those of the
 * migrations of https://github.com/supabase/auth; a hash is bcrypt, Argon2 or that of a user who came from Firebase
 * (`internal/crypto/password.go`). `mfa_factors` is a list of rows of `auth.mfa_factors`, if the query
 * adds it, and `identities` one of rows of `auth.identities`. `raw_app_meta_data`, `role` and `is_super_admin` give no rights here.
 */
export const supabaseFormat: SourceFormat = {
  layouts: ['lines', 'document', 'csv'],
  lists: ['users'],
  csv: {
    required: ['id', 'email'],
    names: [
      'id',
      'email',
      'encrypted_password',
      'email_confirmed_at',
      'raw_user_meta_data',
      'banned_until',
      'created_at',
    ],
  },
  mapUser: mapSupabaseUser,
};

function mapSupabaseUser(source: SourceObject): MappedUser {
  if (textOf(source.deleted_at) !== undefined) return { fault: 'The user is deleted in the source.' };
  const email = textOf(source.email);
  if (email === undefined) return { fault: 'The user has no email address.' };
  const notes: string[] = [];
  const metadata = objectOf(source.raw_user_meta_data);
  const passwordHash = knownHash(textOf(source.encrypted_password), notes);
  const emailVerifiedAt = timeOf(source.email_confirmed_at);
  const record: ImportRecordInput = {
    email,
    isEmailVerified: emailVerifiedAt !== undefined,
    emailVerifiedAt,
    fullName: nameOf(metadata, source, notes),
    ...phoneFields(internationalOf(textOf(source.phone)), notes),
    profilePictureUrl: pictureUrlOf(firstText(metadata.avatar_url, metadata.picture), notes),
    authProvider: passwordHash === undefined ? providerOf(source) : 'password',
    isActive: !isBanned(source.banned_until, notes),
    passwordHash,
    identities: externalOf(source, notes),
    totp: secretsOf(source, notes),
    lastLoginAt: notedTimeOf(source.last_sign_in_at, 'last_sign_in_at', notes),
    createdAt: notedTimeOf(source.created_at, 'created_at', notes),
    legacyIds: legacyIdsOf({ supabase: textOf(source.id) }, notes),
  };
  return { record, notes };
}

/** Numbers are stored without the plus sign. */
const internationalOf = (phone: string | undefined): string | undefined =>
  phone !== undefined && /^\d/.test(phone) ? `+${phone}` : phone;

function nameOf(metadata: SourceObject, source: SourceObject, notes: string[]): string | undefined {
  const whole = firstText(metadata.full_name, metadata.name, metadata.display_name);
  if (whole !== undefined) return fullNameOf([whole], notes);
  const first = firstText(metadata.first_name, metadata.given_name, source.first_name);
  const last = firstText(metadata.last_name, metadata.family_name, source.last_name);
  return fullNameOf([first, last], notes);
}

function isBanned(until: unknown, notes: string[]): boolean {
  const text = textOf(until);
  if (text === undefined) return false;
  const end = millisecondsOf(text);
  if (end !== undefined && end <= Date.now()) return false;
  if (end !== undefined)
    notes.push('The user is banned for a time only: activate the user when it has ended.');
  return true;
}

function providerOf({ raw_app_meta_data: data }: SourceObject): AuthProvider {
  const provider = textOf(objectOf(data).provider);
  if (provider === undefined || provider === 'email' || provider === 'phone') return 'password';
  if (provider === 'google') return 'google';
  if (provider === 'azure') return 'microsoft';
  return /^(sso|saml|keycloak|workos)/.test(provider) ? 'sso' : 'other';
}

/** Its own sign-ins by mail and phone are no other services. Names of other providers are those of connections here. */
const nameOfProvider = (provider: string): string => (provider === 'azure' ? 'microsoft' : provider);
const OWN_PROVIDERS = new Set<unknown>(['email', 'phone', 'anonymous']);

/** `provider_id` is the subject; older projects have it in `identity_data` only. */
function externalOf(source: SourceObject, notes: string[]) {
  if (source.identities === undefined && providersOf(source).length > 0) notes.push(IDENTITIES_MISSING);
  return identitiesOf(
    objectsOf(source.identities)
      .filter(({ provider }) => !OWN_PROVIDERS.has(provider))
      .map(({ provider, provider_id: subject, identity_data: data }) => ({
        provider: textOf(provider) ?? '',
        subject: firstText(subject, objectOf(data).sub),
      })),
    nameOfProvider,
    notes,
  );
}

const IDENTITIES_MISSING =
  'The sign-in with another provider is not in the export: add the rows of auth.identities.';

const providersOf = ({ raw_app_meta_data: data }: SourceObject): unknown[] => {
  const { provider, providers } = objectOf(data);
  return [provider, providers].flat().filter((each) => each !== undefined && !OWN_PROVIDERS.has(each));
};

/** Verified authenticator apps; the secret is base32 in clear unless the project encrypts it. */
function secretsOf({ mfa_factors: rows }: SourceObject, notes: string[]) {
  const factors = objectsOf(rows).filter(({ status }) => status === 'verified');
  const apps = factors.filter((factor) => factor.factor_type === 'totp');
  const usable = apps.flatMap((factor) => {
    const secret = base32SecretOf(textOf(factor.secret) ?? '');
    const createdAt = timeOf(factor.created_at);
    return secret === undefined
      ? []
      : [{ secret, name: labelOf(factor.friendly_name, notes), createdAt, confirmedAt: createdAt }];
  });
  if (usable.length < factors.length)
    notes.push('A second factor cannot be carried over: the user sets up a new one.');
  return usable.length === 0 ? undefined : usable;
}
