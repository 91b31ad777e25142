import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { firebaseHashPrefix, type FirebaseHashParameters } from './firebase-hash.js';
import { bareBase64 } from './foreign-hash.js';
import { phoneFields } from './phone-number.js';
import { fullNameOf, legacyIdsOf, pictureUrlOf } from './profile-text.js';
import type { MappedUser } from './source-entry.js';
import type { SourceFormat } from './source-format.js';
import { identitiesOf, namesOf } from './source-identities.js';
import { firstText, flagOf, objectsOf, type SourceObject, textOf } from './source-object.js';
import { notedTimeOf } from './source-time.js';

const PROVIDERS = ['google', 'facebook', 'twitter', 'github'] as const;

/**
 * The columns of the CSV, which has no header
 * (https://firebase.google.com/docs/cli/auth#csv, `src/accountExporter.ts` of firebase-tools).
 */
const COLUMNS = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
  ...PROVIDERS.flatMap((name) => [`${name}Id`, `${name}Email`, `${name}Name`, `${name}PhotoUrl`]),
  'createdAt',
  'lastSignedInAt',
  'phoneNumber',
  'disabled',
  'customAttributes',
] as const;

/**
 * `firebase auth:export`, as JSON (`{"users": […]}`) or CSV (https://firebase.google.com/docs/cli/auth). Custom claims are
 * not carried over.
 * @throws AuthError `validation_error` for parameters that no project has.
 */
export function firebaseFormat(parameters: FirebaseHashParameters | undefined): SourceFormat {
  const prefix = parameters && firebaseHashPrefix(parameters);
  return {
    layouts: ['document', 'csv'],
    lists: ['users'],
    csv: { fixed: COLUMNS, required: [], names: COLUMNS, hasLooseQuotes: true },
    mapUser: (source) => mapFirebaseUser(source, prefix),
  };
}

function mapFirebaseUser(source: SourceObject, prefix: string | undefined): MappedUser {
  const email = textOf(source.email);
  if (email === undefined) return { fault: 'The user has no email address.' };
  const notes: string[] = [];
  const passwordHash = hashOf(source, prefix, notes);
  if (Array.isArray(source.mfaInfo) && source.mfaInfo.length > 0) {
    notes.push('The second factor cannot be carried over: the user sets up a new one.');
  }
  const record: ImportRecordInput = {
    email,
    isEmailVerified: flagOf(source.emailVerified) ?? false,
    fullName: fullNameOf([textOf(source.displayName)], notes),
    ...phoneFields(textOf(source.phoneNumber), notes),
    profilePictureUrl: pictureUrlOf(firstText(source.photoUrl, source.photoURL), notes),
    authProvider: textOf(source.passwordHash) === undefined ? providerOf(source) : 'password',
    isActive: flagOf(source.disabled) !== true,
    passwordHash,
    identities: externalOf(source, notes),
    passwordChangedAt: notedTimeOf(source.passwordUpdatedAt, 'passwordUpdatedAt', notes),
    lastLoginAt: notedTimeOf(source.lastSignedInAt ?? source.lastLoginAt, 'lastLoginAt', notes),
    createdAt: notedTimeOf(source.createdAt, 'createdAt', notes),
    legacyIds: legacyIdsOf({ firebase: firstText(source.localId, source.uid) }, notes),
  };
  return { record, notes };
}

/** Firebase keeps the id of Microsoft's API, which is not the subject of its ID tokens. */
const PROVIDER_NAMES = namesOf({ 'google.com': 'google', 'github.com': 'github' });
const OWN_PROVIDERS = new Set<unknown>(['password', 'phone']);

function externalOf(source: SourceObject, notes: string[]) {
  const fromList = objectsOf(source.providerUserInfo)
    .filter(({ providerId }) => !OWN_PROVIDERS.has(providerId))
    .map(({ providerId, rawId }) => ({ provider: textOf(providerId) ?? '', subject: textOf(rawId) }));
  const fromRow = PROVIDERS.flatMap((name) => {
    const subject = textOf(source[`${name}Id`]);
    return subject === undefined ? [] : [{ provider: `${name}.com`, subject }];
  });
  return identitiesOf([...fromList, ...fromRow], PROVIDER_NAMES, notes);
}

/** The exporter leaves out hashes that are not of the project's parameters. */
function hashOf(source: SourceObject, prefix: string | undefined, notes: string[]): string | undefined {
  const stated = textOf(source.passwordHash);
  if (stated === undefined) return undefined;
  if (prefix === undefined) {
    notes.push('The password is left out: the password hash parameters of the project are not given.');
    return undefined;
  }
  const [digest, salt] = [bareBase64(stated), bareBase64(textOf(source.salt) ?? '')];
  if (digest !== undefined && salt !== undefined) return `${prefix}$${salt}$${digest}`;
  notes.push('The password hash or its salt is damaged. The user needs a new password.');
  return undefined;
}

function providerOf(source: SourceObject): AuthProvider {
  const fromList = textOf(objectsOf(source.providerUserInfo)[0]?.providerId);
  const fromRow = PROVIDERS.find((name) => textOf(source[`${name}Id`]) !== undefined);
  const provider = fromList ?? (fromRow && `${fromRow}.com`);
  if (provider === undefined || provider === 'password' || provider === 'phone') return 'password';
  if (provider === 'google.com') return 'google';
  if (provider === 'microsoft.com') return 'microsoft';
  return /^(saml|oidc)\./.test(provider) ? 'sso' : 'other';
}
