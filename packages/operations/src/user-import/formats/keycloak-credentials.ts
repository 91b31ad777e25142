import { totpSecretText } from '@latchkey/core/internal/factors/kinds/totp/totp-codes';
import type { ImportRecordInput } from '../import-record.js';
import { bareBase64, unknownScheme } from './foreign-hash.js';
import { labelOf } from './profile-text.js';
import { objectOf, objectsOf, textOf, type SourceObject } from './source-object.js';
import { timeOf } from './source-time.js';
import { base32SecretOf } from './totp-secret.js';

/** Returns the UTF-8 bytes of a text in base32; undefined if their number is not usable. */
const base32OfText = (text: string): string | undefined =>
  base32SecretOf(totpSecretText(Buffer.from(text, 'utf8')));

/** The fields of a record that the credentials of a user become. */
type Credentials = Pick<ImportRecordInput, 'passwordHash' | 'passwordChangedAt' | 'totp'>;

/**
 * Returns the password and the authenticator apps of `users[].credentials`. `secretData` and `credentialData` are JSON
 * as text: `PasswordCredentialModel` and `OTPCredentialModel` of Keycloak. Before version 8 they were fields of the
 * credential (`hashedSaltedValue`, `salt`, `hashIterations`, `algorithm`).
 */
export function credentialsOf(list: unknown, notes: string[]): Credentials {
  const credentials = objectsOf(list);
  const password = credentials.find(({ type }) => type === 'password');
  const apps = credentials.filter(({ type }) => type === 'otp' || type === 'totp' || type === 'hotp');
  const totp = apps.flatMap((app) => appOf(app, notes) ?? []);
  if (credentials.some(({ type }) => isWebAuthn(type))) {
    notes.push('Passkeys and security keys are bound to the domain of Keycloak and are left out.');
  }
  if (credentials.some(({ type }) => type === 'recovery-authn-codes')) {
    notes.push('Recovery codes are left out: the user makes new ones.');
  }
  return {
    ...(password && passwordOf(password, notes)),
    totp: totp.length === 0 ? undefined : totp,
  };
}

const isWebAuthn = (type: unknown): boolean => typeof type === 'string' && type.startsWith('webauthn');

function passwordOf(credential: SourceObject, notes: string[]): Credentials {
  const data = { ...credential, ...objectOf(credential.credentialData) };
  const secret = objectOf(credential.secretData);
  const salt = bareBase64(textOf(secret.salt) ?? textOf(credential.salt) ?? '');
  const digest = bareBase64(textOf(secret.value) ?? textOf(credential.hashedSaltedValue) ?? '');
  const scheme = textOf(data.algorithm) ?? '';
  const passwordHash = salt && digest ? hashOf(scheme, data, `${salt}$${digest}`) : undefined;
  if (passwordHash === undefined) {
    notes.push(unknownScheme(/^[\w-]{1,40}$/.test(scheme) ? scheme : undefined));
    return {};
  }
  return { passwordHash, passwordChangedAt: timeOf(credential.createdDate) };
}

/** The names of `Pbkdf2PasswordHashProviderFactory` and its two variants. */
const PBKDF2: Readonly<Record<string, string>> = {
  pbkdf2: 'pbkdf2-sha1',
  'pbkdf2-sha256': 'pbkdf2-sha256',
  'pbkdf2-sha512': 'pbkdf2-sha512',
};

function hashOf(scheme: string, data: SourceObject, end: string): string | undefined {
  const iterations = wholeNumber(data.hashIterations);
  if (iterations === undefined) return undefined;
  if (scheme === 'argon2') return argon2Of(iterations, objectOf(data.additionalParameters), end);
  const name = Object.hasOwn(PBKDF2, scheme) ? PBKDF2[scheme] : undefined;
  return name && `$${name}$i=${iterations}$${end}`;
}

const ARGON2_VERSIONS: Readonly<Record<string, number>> = { '1.0': 16, '1.3': 19 };

/** `Argon2PasswordHashProvider`: each parameter is a list with one text. */
function argon2Of(iterations: number, parameters: SourceObject, end: string): string | undefined {
  const valueOf = (name: string): unknown => [parameters[name]].flat()[0];
  const type = textOf(valueOf('type')) ?? '';
  const version = ARGON2_VERSIONS[textOf(valueOf('version')) ?? ''];
  const memory = wholeNumber(valueOf('memory'));
  const parallelism = wholeNumber(valueOf('parallelism'));
  if (!['id', 'i', 'd'].includes(type) || !version || !memory || !parallelism) return undefined;
  return `$argon2${type}$v=${version}$m=${memory},t=${iterations},p=${parallelism}$${end}`;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Returns an authenticator app; one with other parameters than those of every app is noted and left out. */
function appOf(credential: SourceObject, notes: string[]) {
  const data = { ...credential, ...objectOf(credential.credentialData) };
  const text = textOf(objectOf(credential.secretData).value) ?? textOf(credential.value) ?? '';
  const isUsual =
    (data.subType ?? data.type) === 'totp' &&
    Number(data.digits) === 6 &&
    Number(data.period) === 30 &&
    (data.algorithm ?? 'HmacSHA1') === 'HmacSHA1';
  const secret = isUsual ? secretOf(text, data.secretEncoding) : undefined;
  if (secret === undefined) {
    notes.push('An authenticator app is left out: its codes are not of SHA-1, 6 digits and 30 seconds.');
    return undefined;
  }
  const createdAt = timeOf(credential.createdDate);
  const name = labelOf(credential.userLabel, notes);
  return { secret, name, createdAt, confirmedAt: createdAt };
}

/** The secret is the text itself, unless an encoding is stated (`OTPCredentialModel.getDecodedSecret`). */
function secretOf(text: string, encoding: unknown): string | undefined {
  if (encoding === undefined || encoding === null) return base32OfText(text);
  return textOf(encoding)?.toUpperCase() === 'BASE32' ? base32SecretOf(text) : undefined;
}
