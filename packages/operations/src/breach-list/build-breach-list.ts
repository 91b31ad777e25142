import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import {
  fileLengthOf,
  isHeader,
  type FilterHeader,
} from '@latchkey/core/internal/passwords/breach-list/filter-header';
import { writeFilter } from './filter-writer.js';
import { KeySpill } from './key-spill.js';
import { LineSplitter } from './line-splitter.js';
import { detectFormat, type ListFormat } from './list-format.js';
import { lineReader, type LineCounts } from './list-lines.js';

/** The files that a list of breached passwords is made of, and the file to write. */
export interface BreachListRequest {
  /** Paths of files with a SHA-1 hash (`HASH` or `HASH:count`) or a password on each line. */
  readonly inputs: readonly string[];
  /** Path of the list. An older list is replaced once the new one is complete; no other file is. */
  readonly output: string;
  /** The format of all inputs. Defaults to that of the first lines of each. */
  readonly format?: ListFormat | undefined;
  /** The share of other passwords that are taken for listed ones. Defaults to 0.001. */
  readonly falsePositiveRate?: number | undefined;
  readonly onProgress?: ((progress: BreachListProgress) => void) | undefined;
  /** Ends the work; nothing is left of it. */
  readonly signal?: AbortSignal | undefined;
}

/** The step of the work, and how much of it is done. */
export interface BreachListProgress {
  readonly step: 'reading' | 'writing';
  readonly done: number;
  /** Undefined while the length of the input is not known, as that of a pipe. */
  readonly total: number | undefined;
}

/** A new list of breached passwords. */
export interface BuiltBreachList {
  readonly file: string;
  readonly inputs: readonly BreachListInput[];
  /** Hashes and passwords in the inputs, repetitions included. */
  readonly entries: number;
  readonly bytes: number;
  /** Measured on the list itself. */
  readonly falsePositiveRate: number;
}

/** One input as it was read. */
interface BreachListInput {
  readonly file: string;
  readonly format: ListFormat;
  readonly entries: number;
  /** Lines that are too long to be a password. */
  readonly skipped: number;
}

const DEFAULT_FALSE_POSITIVE_RATE = 0.001;

const READ_BYTES = 1024 * 1024;
/** Enough first lines to know the format. */
const HEAD_BYTES = 64 * 1024;

/**
 * Makes the file for `PASSWORD_BREACH_LIST` from lists of SHA-1 hashes or passwords of any length, in bounded memory.
 * Beside the output it needs disk space for 8 bytes an entry, for the time of the work.
 * @throws AuthError `validation_error` for an input that is no such list, `conflict` if the output is another kind of
 * file; the error of the operating system for files that cannot be read or written.
 * @example
 * ```ts
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * const folder = await mkdtemp('/tmp/breaches-');
 * await writeFile(`${folder}/words.txt`, 'letmein-letmein\ncorrect horse battery\n');
 * const built = await buildBreachList({ inputs: [`${folder}/words.txt`], output: `${folder}/breached.list` });
 * built.entries; // → 2
 * await rm(folder, { recursive: true });
 * ```
 */
export async function buildBreachList(request: BreachListRequest): Promise<BuiltBreachList> {
  const { output, signal } = request;
  await assertReplaceable(output);
  const unfinished = `${output}.${process.pid}.unfinished`;
  const keys = await KeySpill.create(`${unfinished}-keys`);
  try {
    const inputs = await readInputs(request, keys);
    const entries = inputs.reduce((sum, input) => sum + input.entries, 0);
    if (entries === 0) throw AuthError.validation('The input has no hashes or passwords.');
    const header = await writeDurably(unfinished, request, { keys, entries });
    signal?.throwIfAborted();
    await rename(unfinished, output);
    const { falsePositiveRate } = header;
    return { file: output, inputs, entries, bytes: fileLengthOf(header), falsePositiveRate };
  } finally {
    await keys.close();
    await rm(unfinished, { force: true });
  }
}

/** Throws unless the file is missing or an older list: a mistyped name must not replace the input. */
async function assertReplaceable(output: string): Promise<void> {
  const file = await open(output, 'r').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
    if (isHeader(buffer.subarray(0, bytesRead))) return;
  } finally {
    await file.close();
  }
  throw AuthError.conflict(`${output} exists and is not a list of breached passwords. Choose another file.`);
}

async function readInputs(request: BreachListRequest, keys: KeySpill): Promise<BreachListInput[]> {
  const { inputs, onProgress } = request;
  const sizes = await Promise.all(inputs.map(async (path) => (await stat(path)).size));
  const total = sizes.includes(0) ? undefined : sizes.reduce((sum, size) => sum + size, 0);
  const read: BreachListInput[] = [];
  let done = 0;
  for (const path of inputs) {
    const onRead = (bytes: number): void => {
      done += bytes;
      onProgress?.({ step: 'reading', done, total });
    };
    read.push(await readInput(path, request, { keys, onRead }));
  }
  return read;
}

async function readInput(
  path: string,
  { format: wanted, signal }: BreachListRequest,
  { keys, onRead }: { keys: KeySpill; onRead: (bytes: number) => void },
): Promise<BreachListInput> {
  const counts: LineCounts = { entries: 0, skipped: 0, lines: 0 };
  let format: ListFormat | undefined;
  let splitter: LineSplitter | undefined;
  for await (const chunk of withWholeHead(createReadStream(path, { highWaterMark: READ_BYTES, signal }))) {
    format ??= wanted ?? detectFormat(path, chunk);
    splitter ??= new LineSplitter(lineReader(path, format, counts, keys.add));
    splitter.push(chunk);
    await keys.flush();
    onRead(chunk.length);
  }
  splitter?.end();
  await keys.flush();
  return { file: path, format: format ?? 'words', entries: counts.entries, skipped: counts.skipped };
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Passes on the chunks; the first of them is long enough to detect the format, and has no byte order mark. */
async function* withWholeHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    yield withoutMark(head);
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield withoutMark(head);
}

const withoutMark = (head: Buffer): Buffer =>
  head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? head.subarray(BYTE_ORDER_MARK.length)
    : head;

/** Writes the whole list and waits until it is on the disk. */
async function writeDurably(
  path: string,
  { falsePositiveRate = DEFAULT_FALSE_POSITIVE_RATE, onProgress, signal }: BreachListRequest,
  { keys, entries }: { keys: KeySpill; entries: number },
): Promise<FilterHeader> {
  const file = await open(path, 'wx', 0o644);
  try {
    const header = await writeFilter(file, {
      keys,
      entries,
      builtAt: new Date(),
      falsePositiveRate,
      onProgress: (share) => onProgress?.({ step: 'writing', done: Math.round(share * 100), total: 100 }),
      signal,
    });
    await file.sync();
    return header;
  } finally {
    await file.close();
  }
}
