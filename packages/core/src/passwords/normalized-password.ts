/**
 * Longest password, in UTF-16 units, that is normalised at all. The policy accepts far less; the bound is here
 * because the time NFKC takes grows with the square of a run of combining marks.
 */
const MAX_NORMALIZED_LENGTH = 4096;

/**
 * The one form in which passwords are judged, hashed and verified: NFKC (Unicode Annex 15), so that the same
 * password typed on two keyboards is the same. Never trimmed, never cut. Undefined when it is far too long.
 */
export function normalizedPassword(password: string): string | undefined {
  return password.length > MAX_NORMALIZED_LENGTH ? undefined : password.normalize('NFKC');
}
