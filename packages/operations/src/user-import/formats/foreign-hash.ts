/**
 * The forms of password hashes that `storedFormOf` takes: PHC strings (https://github.com/P-H-C/phc-string-format), bcrypt
 * and phpass in the modular crypt format, and the notations of Django, passlib and Supabase. Its own check is stricter.
 */
const KEPT = new RegExp(
  [
    '^(?:argon2)?\\$argon2(?:id|i|d)\\$',
    '^(?:bcrypt\\$)?\\$2[aby]\\$\\d\\d\\$',
    '^\\$[PH]\\$',
    '^(?:\\$scrypt\\$ln=|scrypt\\$\\d)',
    '^\\$(?:firebase-scrypt|fbscrypt)\\$',
    '^\\$pbkdf2(?:-sha1|-sha256|-sha512)?\\$',
    '^pbkdf2_sha(?:1|256)\\$\\d',
  ].join('|'),
);
const MAX_LENGTH = 2048;

/** Names the scheme of a hash: `$sha512-crypt$…` and `sha1$…` begin with it. */
const SCHEME = /^\$?([A-Za-z0-9_-]{1,40})\$/;

/** Returns the hash if it is of a known form; any other is noted and left out. */
export function knownHash(hash: string | undefined, notes: string[]): string | undefined {
  if (hash === undefined || (KEPT.test(hash) && hash.length <= MAX_LENGTH)) return hash;
  notes.push(unknownScheme(SCHEME.exec(hash)?.[1]));
  return undefined;
}

/** Returns the note on a hash that no password can be verified with. */
export const unknownScheme = (scheme: string | undefined): string =>
  scheme === undefined
    ? 'The password hash is of an unknown scheme. The user needs a new password.'
    : `The password hash is of the scheme ${scheme}, which cannot be verified. The user needs a new password.`;

const ANY_BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Returns standard base64 without padding; undefined for a text that is no base64 of either alphabet. */
export const bareBase64 = (text: string): string | undefined =>
  ANY_BASE64.test(text) ? encoded(Buffer.from(text, 'base64')) || undefined : undefined;

/** Returns the bytes of hexadecimal digits in base64; undefined for any other text. */
export const base64OfHex = (text: string): string | undefined =>
  HEX.test(text) ? encoded(Buffer.from(text, 'hex')) : undefined;

export const base64OfText = (text: string): string => encoded(Buffer.from(text, 'utf8'));

const encoded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
