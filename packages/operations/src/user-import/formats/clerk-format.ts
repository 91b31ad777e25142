import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { storedDigest } from './clerk-digest.js';
import { phoneFields } from './phone-number.js';
import { fullNameOf, legacyIdsOf, pictureUrlOf } from './profile-text.js';
import { isSameAddress } from './same-address.js';
import type { MappedUser } from './source-entry.js';
import type { SourceFormat } from './source-format.js';
import { identitiesOf, namesOf } from './source-identities.js';
import { flagOf, isSourceObject, objectOf, objectsOf, type SourceObject, textOf } from './source-object.js';
import { notedTimeOf } from './source-time.js';
import { base32SecretOf } from './totp-secret.js';

/**
 * The CSV of the dashboard, the only export with password digests and secrets of authenticator apps
 * (https://clerk.com/docs/guides/development/migrating/export-from-clerk), the same fields as JSON, and users of the
 * Backend API (`GET /v1/users`). Metadata and organizations are not carried over.
 */
export const clerkFormat: SourceFormat = {
  layouts: ['lines', 'document', 'csv'],
  lists: ['data', 'users'],
  csv: {
    required: ['id', 'primary_email_address'],
    names: [
      'id',
      'first_name',
      'last_name',
      'primary_email_address',
      'verified_email_addresses',
      'password_digest',
    ],
  },
  mapUser: mapClerkUser,
};

function mapClerkUser(source: SourceObject): MappedUser {
  const address = emailOf(source);
  if (address === undefined) return { fault: 'The user has no email address.' };
  const notes: string[] = [];
  const passwordHash = storedDigest(textOf(source.password_digest), textOf(source.password_hasher), notes);
  const record: ImportRecordInput = {
    email: address.email,
    isEmailVerified: address.isVerified,
    fullName: fullNameOf([textOf(source.first_name), textOf(source.last_name)], notes),
    ...phoneFields(phoneOf(source), notes),
    profilePictureUrl:
      flagOf(source.has_image) === false ? undefined : pictureUrlOf(textOf(source.image_url), notes),
    authProvider: passwordHash === undefined ? providerOf(source) : 'password',
    isActive: flagOf(source.banned) !== true,
    passwordHash,
    identities: externalOf(source, notes),
    totp: secretOf(source, notes),
    lastLoginAt: notedTimeOf(source.last_sign_in_at, 'last_sign_in_at', notes),
    createdAt: notedTimeOf(source.created_at, 'created_at', notes),
    legacyIds: legacyIdsOf(
      {
        clerk: textOf(source.id),
        'clerk-external': textOf(source.external_id),
        'clerk-username': textOf(source.username),
      },
      notes,
    ),
  };
  noteLosses(source, passwordHash, notes);
  return { record, notes };
}

interface Address {
  email: string;
  isVerified: boolean;
}

/** In a row, lists are separated by a line break, `|`, `,` or a space; in the API, addresses are objects with an id. */
function emailOf(source: SourceObject): Address | undefined {
  const objects = objectsOf(source.email_addresses);
  if (objects.length > 0) return addressOf(objects, source.primary_email_address_id);
  const [verified, unverified] = [
    listOf(source.verified_email_addresses),
    listOf(source.unverified_email_addresses),
  ];
  const email = textOf(source.primary_email_address) ?? verified[0] ?? unverified[0];
  if (email === undefined) return undefined;
  const isVerified = verified.some((each) => isSameAddress(each, email));
  return { email, isVerified };
}

function addressOf(objects: readonly SourceObject[], primary: unknown): Address | undefined {
  const chosen = objects.find(({ id }) => id === primary) ?? objects[0];
  const email = textOf(chosen?.email_address);
  return email === undefined
    ? undefined
    : { email, isVerified: objectOf(chosen?.verification).status === 'verified' };
}

function phoneOf(source: SourceObject): string | undefined {
  const objects = objectsOf(source.phone_numbers);
  const chosen = objects.find(({ id }) => id === source.primary_phone_number_id) ?? objects[0];
  return textOf(source.primary_phone_number) ?? textOf(chosen?.phone_number);
}

const listOf = (value: unknown): readonly string[] =>
  [value].flat().flatMap((part) => (typeof part === 'string' ? part.split(/[\s,|]+/).filter(Boolean) : []));

function providerOf({ external_accounts: accounts }: SourceObject): AuthProvider {
  const provider = textOf(objectsOf(accounts)[0]?.provider);
  if (provider === undefined) return 'password';
  if (provider.includes('google')) return 'google';
  if (provider.includes('microsoft')) return 'microsoft';
  return /saml|sso/.test(provider) ? 'sso' : 'other';
}

const PROVIDER_NAMES = namesOf({
  oauth_google: 'google',
  google: 'google',
  oauth_github: 'github',
  github: 'github',
});

/** Users of the Backend API have them, with the id of the account there; rows of the dashboard do not. */
const externalOf = ({ external_accounts: accounts }: SourceObject, notes: string[]) =>
  identitiesOf(
    objectsOf(accounts).map(({ provider, provider_user_id: subject }) => ({
      provider: textOf(provider) ?? '',
      subject: textOf(subject),
    })),
    PROVIDER_NAMES,
    notes,
  );

function secretOf({ totp_secret: stated }: SourceObject, notes: string[]) {
  const text = textOf(stated);
  if (text === undefined) return undefined;
  const secret = base32SecretOf(text);
  if (secret !== undefined) return [{ secret }];
  notes.push('The secret of the authenticator app is not usable and is left out.');
  return undefined;
}

function noteLosses(source: SourceObject, passwordHash: string | undefined, notes: string[]): void {
  if (
    flagOf(source.password_enabled) === true &&
    textOf(source.password_digest) === undefined &&
    !passwordHash
  ) {
    notes.push('The password is not in this export: export the CSV of the dashboard.');
  }
  if (flagOf(source.totp_enabled) === true && textOf(source.totp_secret) === undefined) {
    notes.push('The second factor is not in this export: export the CSV of the dashboard.');
  }
  if (flagOf(source.backup_code_enabled) === true || isSourceObject(source.backup_codes)) {
    notes.push('Backup codes are left out: the user makes new recovery codes.');
  }
}
