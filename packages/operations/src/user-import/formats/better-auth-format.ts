import type { AuthProvider } from '@latchkey/core/internal/users/user';
import type { ImportRecordInput } from '../import-record.js';
import { base64OfHex, base64OfText, knownHash } from './foreign-hash.js';
import { phoneFields } from './phone-number.js';
import { fullNameOf, legacyIdsOf, pictureUrlOf } from './profile-text.js';
import type { MappedUser } from './source-entry.js';
import type { SourceFormat } from './source-format.js';
import { identitiesOf } from './source-identities.js';
import { firstText, flagOf, objectOf, objectsOf, type SourceObject, textOf } from './source-object.js';
import { millisecondsOf, notedTimeOf } from './source-time.js';

/**
 * Objects with a row of `user`, the rows of `account` that belong to it, and whether a row of `twoFactor` does, made by
 * the query of docs/migrating/better-auth.md. The tables are those of https://better-auth.com/docs/concepts/database and
 * of the plugins admin, phone number, two factor and username; columns in snake case are read too. Roles are not carried
 * over.
 */
export const betterAuthFormat: SourceFormat = {
  layouts: ['lines', 'document'],
  lists: ['users'],
  mapUser: mapBetterAuthUser,
};

function mapBetterAuthUser(source: SourceObject): MappedUser {
  const valueOf = columnsOf(objectOf(source.user ?? source));
  const email = textOf(valueOf('email'));
  if (email === undefined) return { fault: 'The user has no email address.' };
  if (flagOf(valueOf('isAnonymous')) === true) return { fault: 'The user is anonymous.' };
  const notes: string[] = [];
  const accounts = objectsOf(source.accounts).map(columnsOf);
  const credential = accounts.find((account) => account('providerId') === 'credential');
  const stored = textOf(credential?.('password'));
  if (
    objectsOf([source.twoFactor]).length > 0 ||
    flagOf(source.twoFactor) ||
    flagOf(valueOf('twoFactorEnabled'))
  ) {
    notes.push('The second factor is encrypted with the key of Better Auth: the user sets up a new one.');
  }
  const record: ImportRecordInput = {
    email,
    isEmailVerified: flagOf(valueOf('emailVerified')) ?? false,
    fullName: fullNameOf([textOf(valueOf('name'))], notes),
    ...phoneFields(textOf(valueOf('phoneNumber')), notes),
    profilePictureUrl: pictureUrlOf(textOf(valueOf('image')), notes),
    authProvider: stored === undefined ? providerOf(accounts) : 'password',
    isActive: !isBanned(valueOf, notes),
    passwordHash: scryptOf(stored) ?? knownHash(stored, notes),
    identities: externalOf(accounts, notes),
    createdAt: notedTimeOf(valueOf('createdAt'), 'createdAt', notes),
    legacyIds: legacyIdsOf(
      { 'better-auth': firstText(valueOf('id')), 'better-auth-username': textOf(valueOf('username')) },
      notes,
    ),
  };
  return { record, notes };
}

type Columns = (name: string) => unknown;

/** Returns a reader of columns by their name in camel case. */
const columnsOf =
  (row: SourceObject): Columns =>
  (name) =>
    row[name] ?? row[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

/** `salt:key` in hexadecimal digits; the salt is the text of its digits (`packages/better-auth/src/crypto/password.ts`). */
const SALT_AND_KEY = /^([0-9a-f]{16,128}):([0-9a-f]{32,256})$/i;

function scryptOf(stored: string | undefined): string | undefined {
  const [, salt, key] = SALT_AND_KEY.exec(stored ?? '') ?? [];
  const digest = key && base64OfHex(key);
  return salt && digest && `$scrypt$ln=14,r=16,p=1$${base64OfText(salt)}$${digest}`;
}

function isBanned(valueOf: Columns, notes: string[]): boolean {
  if (flagOf(valueOf('banned')) !== true) return false;
  const end = millisecondsOf(valueOf('banExpires'));
  if (end === undefined) return true;
  if (end <= Date.now()) return false;
  notes.push('The user is banned for a time only: activate the user when it has ended.');
  return true;
}

function providerOf(accounts: readonly Columns[]): AuthProvider {
  const provider = textOf(accounts[0]?.('providerId'));
  if (provider === undefined || provider === 'credential') return 'password';
  if (provider === 'google' || provider === 'microsoft') return provider;
  return SOCIAL.test(provider) ? 'other' : 'sso';
}

/** Its names of providers are those of connections here. */
const externalOf = (accounts: readonly Columns[], notes: string[]) =>
  identitiesOf(
    accounts
      .filter((account) => account('providerId') !== 'credential')
      .map((account) => ({
        provider: textOf(account('providerId')) ?? '',
        subject: textOf(account('accountId')),
      })),
    (provider) => provider || undefined,
    notes,
  );

const SOCIAL = /^(apple|discord|facebook|github|gitlab|linkedin|reddit|spotify|tiktok|twitch|twitter)$/;
