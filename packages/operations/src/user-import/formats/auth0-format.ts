import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { knownHash, unknownScheme } from './foreign-hash.js';
import { phoneFields } from './phone-number.js';
import { fullNameOf, legacyIdsOf, pictureUrlOf } from './profile-text.js';
import { isSameAddress } from './same-address.js';
import type { MappedUser } from './source-entry.js';
import type { SourceFormat } from './source-format.js';
import { identitiesOf, namesOf } from './source-identities.js';
import { firstText, flagOf, objectOf, objectsOf, type SourceObject, textOf } from './source-object.js';
import { notedTimeOf, timeOf } from './source-time.js';
import { base32SecretOf } from './totp-secret.js';

/**
 * Two files of Auth0, each by itself. The bulk user export has `user_id` and the fields of the normalized profile
 * (https://auth0.com/docs/manage-users/user-migration/bulk-user-exports and
 * https://auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure). The export of password hashes
 * by the support has `_id` and `passwordHash`
 * (https://support.auth0.com/center/s/article/How-to-Use-the-Password-Hashes-Export-from-Auth0). Rights in
 * `app_metadata` are not carried over.
 */
export const auth0Format: SourceFormat = {
  layouts: ['lines', 'document'],
  lists: ['users'],
  mapUser: mapAuth0User,
};

function mapAuth0User(source: SourceObject): MappedUser {
  const identifiers = objectsOf(source.identifiers);
  const address = identifiers.find(({ type }) => type === 'email');
  const email = firstText(source.email, address?.value);
  if (email === undefined) return { fault: 'The user has no email address.' };
  const notes: string[] = [];
  const userId = userIdOf(source);
  const passwordHash =
    knownHash(firstText(source.passwordHash, source.password_hash), notes) ??
    customHash(source.custom_password_hash, notes);
  const blocked = flagOf(source.blocked);
  const record: ImportRecordInput = {
    email,
    isEmailVerified: flagOf(source.email_verified) ?? flagOf(address?.verified),
    fullName: nameOf(source, email, notes),
    ...phoneFields(textOf(source.phone_number), notes),
    profilePictureUrl: pictureUrlOf(textOf(source.picture), notes),
    authProvider: passwordHash === undefined ? providerOf(userId) : 'password',
    // The export of hashes does not say who is blocked.
    isActive: blocked === undefined && isHashExport(source) ? undefined : blocked !== true,
    passwordHash,
    passwordChangedAt: timeOf(source.password_set_date) ?? timeOf(source.last_password_reset),
    totp: secretsOf(source, notes),
    identities: externalOf(source, notes),
    lastLoginAt: notedTimeOf(source.last_login, 'last_login', notes),
    createdAt: notedTimeOf(source.created_at, 'created_at', notes),
    legacyIds: legacyIdsOf({ auth0: userId, 'auth0-username': textOf(source.username) }, notes),
  };
  noteLosses(source, notes);
  return { record, notes };
}

const isHashExport = (source: SourceObject): boolean =>
  source._id !== undefined && source.user_id === undefined;

/** `auth0|<_id>` is the id of a user of a database, unless the database has ids of its own. */
function userIdOf(source: SourceObject): string | undefined {
  const stated = textOf(source.user_id);
  if (stated !== undefined) return stated;
  const id = firstText(source.alt_id, objectOf(source._id).$oid, source._id);
  return id === undefined || id.includes('|') ? id : `auth0|${id}`;
}

/**
 * The form in which hashes of other systems are imported into Auth0
 * (https://auth0.com/docs/manage-users/user-migration/bulk-user-import-database-schema-and-examples). Only hashes that name their
 * parameters themselves can be verified.
 */
function customHash(value: unknown, notes: string[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  const { algorithm, hash, password } = objectOf(value);
  const { value: text, encoding = 'utf8' } = objectOf(hash);
  const scheme = textOf(algorithm);
  const isOfOwnBytes = objectOf(password).encoding !== undefined && objectOf(password).encoding !== 'utf8';
  const isWhole = encoding === 'utf8' && !isOfOwnBytes && NAMES_PARAMETERS.has(scheme ?? '');
  if (isWhole && textOf(text) !== undefined) return knownHash(textOf(text), notes);
  notes.push(unknownScheme(scheme !== undefined && /^[\w-]{1,40}$/.test(scheme) ? scheme : undefined));
  return undefined;
}

const NAMES_PARAMETERS = new Set(['argon2', 'bcrypt', 'pbkdf2']);

/** The name of a user of a database is the email address, unless another was set. */
function nameOf(source: SourceObject, email: string, notes: string[]): string | undefined {
  const parts = [textOf(source.given_name), textOf(source.family_name)];
  const whole = textOf(source.name);
  const isName = whole !== undefined && !isSameAddress(whole, email);
  return fullNameOf(isName ? [whole] : parts, notes);
}

/** The start of a user id names the strategy of the connection. */
function providerOf(userId: string | undefined): AuthProvider {
  const strategy = userId?.split('|', 1)[0];
  if (strategy === undefined || strategy === 'auth0') return 'password';
  if (strategy === 'google-oauth2') return 'google';
  if (strategy === 'windowslive') return 'microsoft';
  return SSO.has(strategy) ? 'sso' : 'other';
}

const SSO = new Set(['google-apps', 'waad', 'adfs', 'samlp', 'ad', 'oidc', 'okta', 'pingfederate']);

/** `mfa_factors` as in Auth0's own imports; its exports do not have the secrets. */
function secretsOf({ mfa_factors: factors }: SourceObject, notes: string[]) {
  const secrets = objectsOf(factors).flatMap(({ totp }) => textOf(objectOf(totp).secret) ?? []);
  const usable = secrets.flatMap((secret) => base32SecretOf(secret) ?? []);
  if (usable.length < secrets.length)
    notes.push('The secret of an authenticator app is not usable and is left out.');
  return usable.length === 0 ? undefined : usable.map((secret) => ({ secret }));
}

function noteLosses(source: SourceObject, notes: string[]): void {
  const hasFactor = Array.isArray(source.multifactor) && source.multifactor.length > 0;
  if (hasFactor && !Array.isArray(source.mfa_factors)) {
    notes.push('The second factor is not in the export: the user sets up a new one.');
  }
}

/** Auth0 keeps the id of Microsoft's API and of companies' directories, which is not the subject of their ID tokens. */
const PROVIDER_NAMES = namesOf({ 'google-oauth2': 'google', github: 'github' });

/** The id there is a text or, in files of some tools, a number. */
function externalOf({ identities }: SourceObject, notes: string[]) {
  const others = objectsOf(identities).filter(({ provider }) => provider !== 'auth0');
  return identitiesOf(
    others.map(({ provider, user_id: id }) => ({
      provider: textOf(provider) ?? '',
      subject: Number.isSafeInteger(id) ? String(id) : textOf(id),
    })),
    PROVIDER_NAMES,
    notes,
  );
}
