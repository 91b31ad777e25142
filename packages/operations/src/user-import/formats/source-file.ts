import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import type { SourceEntry } from './source-entry.js';

/** The greatest length of one user, in bytes. */
export const MAX_ENTRY_BYTES = 1024 * 1024;
/** The longest run of bytes without an end of anything, such as a text that is never closed. */
export const MAX_OPEN_BYTES = 16 * MAX_ENTRY_BYTES;

/**
 * A reader of the bytes of a file. Its methods add the entries that have become complete, and throw the error of the
 * whole file, `validation_error`, after adding those before it.
 */
export interface EntryReader {
  push(chunk: Buffer, entries: SourceEntry[]): void;
  end(entries: SourceEntry[]): void;
}

/** Names the file and its faults. */
export class SourceFile {
  readonly #name: string;

  constructor(name: string | undefined) {
    this.#name = name ?? 'The file';
  }

  /** Returns the error of the whole file. @param message completes the sentence "The file …". */
  error(message: string): AuthError {
    return AuthError.validation(`${this.#name} ${message}`);
  }
}

/** Returns the faults of an entry that a reader finds. @param what `line`, `row` or `entry`. */
export const faultsOf = (what: string) =>
  ({
    notJson: `The ${what} is not valid JSON.`,
    notObject: `The ${what} is not a JSON object.`,
    notUtf8: `The ${what} is not valid UTF-8.`,
    hasNul: `The ${what} contains a NUL character.`,
    tooLong: `The ${what} is longer than 1 MiB.`,
    tooDeep: `The ${what} is nested too deeply.`,
  }) as const;
