import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { bareBase64, base64OfHex, base64OfText, knownHash, unknownScheme } from './foreign-hash.js';
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
 * The forms of `password_digest` by `password_hasher`, as the reference of Clerk's Backend API describes them
 * (https://clerk.com/docs/reference/backend-api, Create a new user). Each returns undefined for another form.
 */
const HASHERS: Readonly<Record<string, (digest: string) => string | undefined>> = {
  argon2i: (digest) => digest,
  argon2id: (digest) => digest,
  bcrypt: (digest) => digest,
  phpass: (digest) => digest,
  md5_phpass: (digest) => digest,
  pbkdf2_sha256_django: (digest) => digest,
  pbkdf2_sha256: (digest) => pbkdf2Of('sha256', digest, bareBase64, bareBase64),
  pbkdf2_sha1: (digest) => pbkdf2Of('sha1', digest, base64OfText, base64OfHex),
  scrypt_firebase: firebaseOf,
  scrypt_werkzeug: werkzeugOf,
};

/** Returns the stored form of a digest; one of another scheme is noted and left out. */
function storedDigest(
  digest: string | undefined,
  hasher: string | undefined,
  notes: string[],
): string | undefined {
  if (digest === undefined || hasher === undefined) return knownHash(digest, notes);
  const stored = Object.hasOwn(HASHERS, hasher) ? HASHERS[hasher]?.(digest) : undefined;
  if (stored !== undefined) return knownHash(stored, notes);
  notes.push(unknownScheme(/^\w{1,40}$/.test(hasher) ? hasher : undefined));
  return undefined;
}

type Encode = (text: string) => string | undefined;

/** `pbkdf2_sha256$<iterations>$<salt>$<hash>`. */
function pbkdf2Of(hash: string, text: string, saltOf: Encode, digestOf: Encode): string | undefined {
  const [, iterations, salt = '', digest = ''] = /^\w+\$(\d{1,10})\$([^$]+)\$([^$]+)$/.exec(text) ?? [];
  const [encodedSalt, encodedDigest] = [saltOf(salt), digestOf(digest)];
  if (!iterations || !encodedSalt || !encodedDigest) return undefined;
  return `$pbkdf2-${hash}$i=${iterations}$${encodedSalt}$${encodedDigest}`;
}

/** `<hash>$<salt>$<signer key>$<salt separator>$<rounds>$<memory cost>`. */
function firebaseOf(text: string): string | undefined {
  const [digest, salt, key, separator, rounds, memory, ...rest] = text.split('$');
  const [d, s, sk, ss] = [digest, salt, key, separator].map((part) => bareBase64(part ?? ''));
  const isWhole = /^\d{1,2}$/.test(rounds ?? '') && /^\d{1,2}$/.test(memory ?? '') && rest.length === 0;
  return d && s && sk && isWhole
    ? `$firebase-scrypt$m=${memory},r=${rounds},ss=${ss ?? ''},sk=${sk}$${s}$${d}`
    : undefined;
}

/** `scrypt:<N>:<r>:<p>$<salt>$<hash in hexadecimal digits>`; the salt is its text. */
function werkzeugOf(text: string): string | undefined {
  const [, n, r, p, salt = '', digest = ''] =
    /^scrypt:(\d{1,8}):(\d{1,2}):(\d{1,2})\$([^$]+)\$([^$]+)$/.exec(text) ?? [];
  const ln = Math.log2(Number(n));
  const encoded = base64OfHex(digest);
  return Number.isInteger(ln) && encoded
    ? `$scrypt$ln=${ln},r=${r},p=${p}$${base64OfText(salt)}$${encoded}`
    : undefined;
}

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
