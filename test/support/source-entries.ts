import { AuthError } from '@latchkey/core';
import type { FormatOptions } from '../../packages/operations/src/user-import/formats/format-options.js';
import { readEntries } from '../../packages/operations/src/user-import/formats/read-entries.js';
import type {
  ImportFormat,
  SourceEntry,
} from '../../packages/operations/src/user-import/formats/source-entry.js';
import { importRecord } from '../../packages/operations/src/user-import/import-record.js';

/** The entries of a file, and the error of the file if there is one. */
export interface ReadOutcome {
  entries: SourceEntry[];
  error: unknown;
}

/** Yields the bytes in chunks of a size. */
async function* inChunks(content: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += size) {
    yield await Promise.resolve(Buffer.from(bytes.subarray(start, start + size)));
  }
}

/** Reads a file in chunks of `size` bytes. */
export async function readImportFile(
  format: ImportFormat,
  content: string | Buffer,
  { size = 64 * 1024, ...options }: FormatOptions & { size?: number } = {},
): Promise<ReadOutcome> {
  const entries: SourceEntry[] = [];
  try {
    for await (const batch of readEntries(inChunks(content, size), format, options)) entries.push(...batch);
  } catch (error) {
    return { entries, error };
  }
  return { entries, error: undefined };
}

/** Returns the code and message of the error of the file, or `undefined`. */
export const messageOf = ({ error }: ReadOutcome): string =>
  AuthError.is(error) ? `${error.code}: ${error.message}` : String(error);

/** Reads a file that has no fault, and returns its users: the record without the fields that are not stated, and notes. */
export async function readUsers(format: ImportFormat, content: string, options: FormatOptions = {}) {
  const outcome = await readImportFile(format, content, options);
  if (outcome.error !== undefined) throw new Error(messageOf(outcome));
  return outcome.entries.map((entry) => {
    if ('fault' in entry) return { fault: entry.fault };
    importRecord.parse(entry.record);
    const stated = Object.entries(entry.record).filter(([, value]) => value !== undefined);
    return { record: Object.fromEntries(stated), notes: entry.notes };
  });
}

/** Returns objects as the lines of a file. */
export const jsonLines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
