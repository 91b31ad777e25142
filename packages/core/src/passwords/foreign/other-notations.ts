import { fromBase64, toBase64 } from '../base64.js';

type Rewriting = (...groups: string[]) => string | undefined;

/** Base64 with or without padding. */
const B64 = '([A-Za-z0-9+/]+)={0,2}';
/** The same, also for addresses: Firebase exports both. */
const WEB_B64 = '([A-Za-z0-9+/_-]*)={0,2}';
/** Base64 of passlib: a point in place of the plus. */
const AB64 = '([A-Za-z0-9./]+)';

const textSalt = (salt: string): string => toBase64(Buffer.from(salt));
const fromAb64 = (text: string): string => text.replaceAll('.', '+');
const fromWebBase64 = (text: string) => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));

const djangoPbkdf2: Rewriting = (hash, iterations, salt = '', digest) =>
  `$pbkdf2-${hash}$i=${iterations}$${textSalt(salt)}$${digest}`;

const djangoScrypt: Rewriting = (cost, salt = '', ...rest) => {
  const [blockSize, parallelization, digest] = rest;
  const logCost = Math.log2(Number(cost));
  const parameters = `ln=${logCost},r=${blockSize},p=${parallelization}`;
  return Number.isInteger(logCost) ? `$scrypt$${parameters}$${textSalt(salt)}$${digest}` : undefined;
};

const passlibPbkdf2: Rewriting = (hash, iterations, salt = '', digest = '') =>
  `$pbkdf2-${hash === '' ? 'sha1' : hash}$i=${iterations}$${fromAb64(salt)}$${fromAb64(digest)}`;

/** Firebase encrypts its signer key: what remains without that key is stored. */
const firebase: Rewriting = (memory, rounds, ...encoded) => {
  const [separator, key, salt, digest] = encoded.map(fromWebBase64);
  if (!separator || !key || !salt || digest?.length !== key.length) return undefined;
  const stream = digest.map((byte, index) => byte ^ (key[index] ?? 0));
  return `$firebase-scrypt$m=${memory},r=${rounds}$${toBase64(Buffer.concat([salt, separator]))}$${toBase64(stream)}`;
};

/** The salt separator may be empty or missing. */
const FIREBASE_END = `(?:ss=${WEB_B64},)?sk=${WEB_B64}\\$${WEB_B64}\\$${WEB_B64}$`;

const REWRITINGS: readonly [pattern: RegExp, rewriting: Rewriting][] = [
  [
    new RegExp(`^(\\$scrypt\\$[^$]+|\\$pbkdf2-sha\\d+\\$i=\\d+)(?:,l=\\d+)?\\$${B64}\\$${B64}$`),
    (...parts) => parts.join('$'),
  ],
  [new RegExp(`^pbkdf2_(sha1|sha256)\\$(\\d+)\\$([^$]+)\\$${B64}$`), djangoPbkdf2],
  [new RegExp(`^scrypt\\$(\\d+)\\$([^$]+)\\$(\\d+)\\$(\\d+)\\$${B64}$`), djangoScrypt],
  [/^(?:argon2(?=\$argon2)|bcrypt\$(?=\$2))(.+)$/s, (hash) => hash],
  [new RegExp(`^\\$pbkdf2(?:-(sha1|sha256|sha512))?\\$(\\d+)\\$${AB64}\\$${AB64}$`), passlibPbkdf2],
  [new RegExp(`^\\$firebase-scrypt\\$m=(\\d+),r=(\\d+),${FIREBASE_END}`), firebase],
  [new RegExp(`^\\$fbscrypt\\$v=1,n=(\\d+),r=(\\d+),p=1,${FIREBASE_END}`), firebase],
];

/**
 * Rewrites a hash in the notation of Django, passlib, Firebase or Supabase, or with padded base64. Returns any other text
 * as it is, and undefined for one that cannot be rewritten.
 */
export function inOurNotation(text: string): string | undefined {
  for (const [pattern, rewriting] of REWRITINGS) {
    const [, ...groups] = pattern.exec(text) ?? [];
    if (groups.length > 0) return rewriting(...groups.map((group: string | undefined) => group ?? ''));
  }
  return text;
}
