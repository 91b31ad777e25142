import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import type { FilterKey } from '@latchkey/core/internal/passwords/breach-list/filter-block';
import { keysOfLine } from '@latchkey/core/internal/passwords/breach-list/password-key';
import { MAX_PASSWORD_BYTES } from '@latchkey/core/internal/passwords/normalized-password';
import type { OnLine } from './line-splitter.js';
import type { ListFormat } from './list-format.js';

/** The number of lines read so far. */
export interface LineCounts {
  /** Lines with a hash or password. */
  entries: number;
  /** Lines with text that is no possible password: more than 1,024 bytes. */
  skipped: number;
  lines: number;
}

/** Returns a reader of lines that passes on the keys of each. */
export const lineReader = (
  name: string,
  format: ListFormat,
  counts: LineCounts,
  add: (key: FilterKey) => void,
): OnLine => (format === 'sha1' ? hashReader(name, counts, add) : wordReader(counts, add));

const HASH_DIGITS = 40;
const COLON = 58;

function hashReader(name: string, counts: LineCounts, add: (key: FilterKey) => void): OnLine {
  return (bytes, start, end) => {
    counts.lines++;
    if (end === start) return;
    const hasEnd =
      end === start + HASH_DIGITS || (end > start + HASH_DIGITS && bytes[start + HASH_DIGITS] === COLON);
    if (!hasEnd || !areDigits(bytes, start, start + HASH_DIGITS)) {
      throw AuthError.validation(
        `${name}: line ${counts.lines} is not a SHA-1 hash. The file may be cut off.`,
      );
    }
    counts.entries++;
    add({ high: wordAt(bytes, start), low: wordAt(bytes, start + 8) });
  };
}

function wordReader(counts: LineCounts, add: (key: FilterKey) => void): OnLine {
  return (bytes, start, end) => {
    counts.lines++;
    if (end === start) return;
    if (end - start > MAX_PASSWORD_BYTES) {
      counts.skipped++;
      return;
    }
    counts.entries++;
    for (const key of keysOfLine(bytes.subarray(start, end))) add(key);
  };
}

const NOT_A_DIGIT = 16;
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? NOT_A_DIGIT : digit;
});

function areDigits(bytes: Buffer, start: number, end: number): boolean {
  let all = 0;
  for (let at = start; at < end; at++) all |= DIGITS[bytes[at] ?? 0] ?? NOT_A_DIGIT;
  return all < NOT_A_DIGIT;
}

function wordAt(bytes: Buffer, start: number): number {
  let word = 0;
  for (let at = start; at < start + 8; at++) word = (word << 4) | (DIGITS[bytes[at] ?? 0] ?? 0);
  return word >>> 0;
}
