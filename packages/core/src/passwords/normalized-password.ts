/** Longest password in bytes of UTF-8, before normalization. */
export const MAX_PASSWORD_BYTES = 1024;

/**
 * Returns the form in which passwords are judged, hashed and verified: NFKC (Unicode Annex 15), so that the same
 * password typed on two keyboards is the same. Never trimmed, never cut.
 *
 * Undefined for more than 1,024 bytes: such a password cannot have been set, and the time NFKC takes on the main
 * thread grows with the square of a run of combining marks.
 */
export function normalizedPassword(password: string): string | undefined {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES ? undefined : password.normalize('NFKC');
}
