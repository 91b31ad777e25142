/** Longest password in bytes of UTF-8, before normalization. */
export const MAX_PASSWORD_BYTES = 1024;

/**
 * Returns the form in which passwords are checked, hashed and verified: NFKC (Unicode Annex 15), so that a password
 * typed on different keyboards is the same. It is never trimmed or cut.
 *
 * Returns undefined for more than 1,024 bytes. Such a password cannot have been set, and the time that NFKC takes on the
 * main thread grows with the square of the length of a run of combining marks.
 */
export function normalizedPassword(password: string): string | undefined {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES ? undefined : password.normalize('NFKC');
}
