import { parsePhcString } from '../phc-string.js';
import { parseStoredHash, type StoredHash } from '../stored-hash.js';
import { inOurNotation } from './other-notations.js';

/** Longer than any hash. */
const MAX_LENGTH = 2048;

/** Memory times passes of Argon2, in KiB: takes a thread one to two seconds. */
const MAX_ARGON2_WORK_KIB = 2 * 1024 * 1024;

/**
 * Returns the form in which a hash of this or another system is stored in `users.password_hash`. Returns undefined for an
 * unknown scheme, a malformed hash, and parameters that are unusable or would occupy a hashing thread for more than about
 * two seconds.
 *
 * Schemes: Argon2, bcrypt, scrypt, Firebase's scrypt, PBKDF2, phpass, and hashes of these that this service has wrapped.
 * Notations: PHC strings, and those of Django, passlib and Supabase.
 */
export function storedFormOf(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const form = inOurNotation(text);
  const parsed = form === undefined ? undefined : parseStoredHash(form);
  return parsed && isAffordable(parsed) ? form : undefined;
}

function isAffordable({ argon2 }: StoredHash): boolean {
  const parameters = argon2 === undefined ? undefined : parsePhcString(argon2);
  return !parameters || parameters.memoryKib * parameters.iterations <= MAX_ARGON2_WORK_KIB;
}
