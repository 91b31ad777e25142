import { bareBase64, base64OfHex, base64OfText, knownHash, unknownScheme } from './foreign-hash.js';

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
export function storedDigest(
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
