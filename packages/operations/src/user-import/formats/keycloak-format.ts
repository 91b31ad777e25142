import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { credentialsOf } from './keycloak-credentials.js';
import { phoneFields } from './phone-number.js';
import { fullNameOf, legacyIdsOf, localeOf, pictureUrlOf } from './profile-text.js';
import type { MappedUser } from './source-entry.js';
import type { SourceFormat } from './source-format.js';
import { firstText, flagOf, objectOf, objectsOf, type SourceObject, textOf } from './source-object.js';
import { notedTimeOf } from './source-time.js';

/**
 * `kc.sh export` (https://www.keycloak.org/server/importExport): the file of a realm, `<realm>-users-<n>.json`, or a list
 * of users. A user is a `UserRepresentation` of
 * https://www.keycloak.org/docs-api/latest/rest-api/index.html. Roles and groups are not carried over.
 */
export const keycloakFormat: SourceFormat = {
  layouts: ['document'],
  lists: ['users'],
  mapUser: mapKeycloakUser,
};

function mapKeycloakUser(source: SourceObject): MappedUser {
  if (Array.isArray(source.users))
    return { fault: 'The entry is a whole realm. Export one realm: kc.sh export --realm.' };
  if (textOf(source.serviceAccountClientId) !== undefined) {
    return { fault: 'The entry is the service account of a client. Create a service token instead.' };
  }
  const [stated, username] = [textOf(source.email), textOf(source.username)];
  const email = stated ?? (username?.includes('@') ? username : undefined);
  if (email === undefined) return { fault: 'The user has no email address.' };
  const notes: string[] = [];
  const attributes = objectOf(source.attributes);
  const credentials = credentialsOf(source.credentials, notes);
  const record: ImportRecordInput = {
    email,
    isEmailVerified: stated !== undefined && flagOf(source.emailVerified) === true,
    fullName: fullNameOf([textOf(source.firstName), textOf(source.lastName)], notes),
    ...phoneFields(attributeOf(attributes, 'phoneNumber', 'phone', 'phone_number'), notes),
    profilePictureUrl: pictureUrlOf(attributeOf(attributes, 'picture', 'avatarUrl'), notes),
    locale: localeOf(attributeOf(attributes, 'locale'), notes),
    authProvider: credentials.passwordHash === undefined ? providerOf(source) : 'password',
    isActive: flagOf(source.enabled) ?? true,
    ...credentials,
    createdAt: notedTimeOf(source.createdTimestamp, 'createdTimestamp', notes),
    legacyIds: legacyIdsOf(
      { keycloak: textOf(source.id), 'keycloak-username': isAddress(username, email) ? undefined : username },
      notes,
    ),
  };
  return { record, notes };
}

const isAddress = (username: string | undefined, email: string): boolean =>
  username?.toLowerCase() === email.toLowerCase();

/** An attribute is a list of texts. */
const attributeOf = (attributes: SourceObject, ...names: readonly string[]): string | undefined =>
  firstText(...names.flatMap((name) => (Object.hasOwn(attributes, name) ? [attributes[name]].flat() : [])));

function providerOf({ federatedIdentities, federationLink }: SourceObject): AuthProvider {
  const provider = textOf(objectsOf(federatedIdentities)[0]?.identityProvider);
  if (provider === undefined) return federationLink ? 'sso' : 'password';
  if (provider === 'google' || provider === 'microsoft') return provider;
  return 'sso';
}
