import { bytesOf, firstLine, layoutOf, readHead } from './file-head.js';
import type { FormatOptions } from './format-options.js';
import type { ImportFormat, SourceEntry } from './source-entry.js';
import { type EntryReader, SourceFile } from './source-file.js';
import type { SourceFormat } from './source-format.js';

/** Each format is loaded when a file of it is read. */
const FORMATS: Readonly<Record<ImportFormat, (options: FormatOptions) => Promise<SourceFormat>>> = {
  jsonl: async () => (await import('./native-format.js')).nativeFormat,
  csv: async () => (await import('./csv-format.js')).csvFormat,
  auth0: async () => (await import('./auth0-format.js')).auth0Format,
  keycloak: async () => (await import('./keycloak-format.js')).keycloakFormat,
  supabase: async () => (await import('./supabase-format.js')).supabaseFormat,
  clerk: async () => (await import('./clerk-format.js')).clerkFormat,
  firebase: async ({ firebase }) => (await import('./firebase-format.js')).firebaseFormat(firebase),
  'better-auth': async () => (await import('./better-auth-format.js')).betterAuthFormat,
};

/**
 * Reads the users of a file, in its order, in batches of bounded size. Memory does not grow with the file. A
 * user that cannot be read is an entry with a `fault`, and the next one follows.
 * @param input the bytes of the file, such as a stream of `createReadStream`. It is closed at the end, and when the
 * caller stops early.
 * @throws AuthError `validation_error` for a file that is not of the format or that ends early, after the entries before
 * the place; the error of the input.
 */
export async function* readEntries(
  input: AsyncIterable<Buffer | string>,
  format: ImportFormat,
  options: FormatOptions = {},
): AsyncGenerator<readonly SourceEntry[], void, void> {
  const chunks = input[Symbol.asyncIterator]();
  try {
    const file = new SourceFile(options.file);
    const source = await FORMATS[format](options);
    const head = await readHead(chunks);
    const reader = await readerOf(head, source, file);
    yield* entriesOf(reader, head, chunks);
  } finally {
    await chunks.return?.();
  }
}

async function readerOf(head: Buffer, source: SourceFormat, file: SourceFile): Promise<EntryReader> {
  const layout = layoutOf(head, source, file);
  if (layout === 'csv' && source.csv) {
    const [{ CsvReader }, { delimiterOf }] = await Promise.all([
      import('./csv-reader.js'),
      import('./csv-header.js'),
    ]);
    const { csv, mapUser } = source;
    const delimiter = csv.fixed ? ',' : delimiterOf(firstLine(head));
    return CsvReader.create({ csv, mapUser }, file, delimiter);
  }
  if (layout === 'document') {
    const { JsonDocumentReader } = await import('./json-document-reader.js');
    return JsonDocumentReader.create({ format: source, file, isList: firstLine(head).startsWith('[') });
  }
  const { JsonLinesReader } = await import('./json-lines-reader.js');
  return new JsonLinesReader(source.mapUser);
}

async function* entriesOf(
  reader: EntryReader,
  head: Buffer,
  chunks: AsyncIterator<Buffer | string>,
): AsyncGenerator<readonly SourceEntry[], void, void> {
  let chunk: Buffer | undefined = head;
  while (chunk !== undefined) {
    for (const part of partsOf(chunk)) yield* batchOf((entries) => reader.push(part, entries));
    const next = await chunks.next();
    chunk = next.done ? undefined : bytesOf(next.value);
  }
  yield* batchOf((entries) => reader.end(entries));
}

/** Bounds the batches: some thousand users at most. */
const MAX_PART_BYTES = 256 * 1024;

function* partsOf(chunk: Buffer): Generator<Buffer, void, void> {
  for (let start = 0; start < chunk.length; start += MAX_PART_BYTES) {
    yield chunk.subarray(start, start + MAX_PART_BYTES);
  }
}

/** Yields the entries that were added, also before an error. */
function* batchOf(read: (entries: SourceEntry[]) => void): Generator<readonly SourceEntry[], void, void> {
  const entries: SourceEntry[] = [];
  let failure: { error: unknown } | undefined;
  try {
    read(entries);
  } catch (error) {
    failure = { error };
  }
  if (entries.length > 0) yield entries;
  if (failure) throw failure.error;
}
