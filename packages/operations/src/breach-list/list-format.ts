import { AuthError } from '@latchkey/core/internal/kernel/auth-error';

/** The contents of a file that a list is made of: SHA-1 digests, or passwords. */
const LIST_FORMATS = ['sha1', 'words'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** A line of `HASH` or `HASH:count`. */
const SHA1_LINE = /^[0-9a-f]{40}(?::\d*)?$/i;
/** Lines of other digests, and of ranges that lack the first five digits. */
const NTLM_LINE = /^[0-9a-f]{32}(?::\d*)?$/i;
const RANGE_LINE = /^[0-9a-f]{35}:\d+$/i;
const OTHER_DIGEST_LINE = /^[0-9a-f]{56,128}(?::\d*)?$/i;

const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [NTLM_LINE, 'has 32 digits a line, like NTLM or MD5 hashes. Use the list of SHA-1 hashes'],
  [RANGE_LINE, 'is a range without the first 5 digits of each hash. Use the list in one file'],
  [OTHER_DIGEST_LINE, 'has hashes that are longer than SHA-1. Use the list of SHA-1 hashes'],
];

/**
 * Returns the format of a file by its first lines, which need not be whole at the end.
 * @throws AuthError `validation_error` for a file that is neither, such as an archive.
 */
export function detectFormat(name: string, head: Buffer): ListFormat {
  if (head.includes(0)) {
    throw AuthError.validation(`${name}: is not a text file. Unpack it first.`);
  }
  const lines = wholeLines(head.toString('latin1'));
  if (lines.length > 0 && lines.every((line) => SHA1_LINE.test(line))) return 'sha1';
  for (const [pattern, words] of FOREIGN) {
    if (lines.length > 0 && lines.every((line) => pattern.test(line))) {
      throw AuthError.validation(`${name}: ${words}, or state --format words if these are passwords.`);
    }
  }
  return 'words';
}

const MOST_LINES = 1000;

function wholeLines(text: string): string[] {
  const lines = text.split(/\r?\n/, MOST_LINES);
  if (lines.length > 1 && lines.length < MOST_LINES) lines.pop();
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
