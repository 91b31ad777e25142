import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ValueCipher } from '@latchkey/core/internal/encryption/value-cipher';
import { actorLabel, type TrustedActor } from '@latchkey/core/internal/kernel/actor';
import { withOthers } from '@latchkey/core/internal/kernel/assemble';
import { checkInput } from '@latchkey/core/internal/kernel/check-input';
import { unknownClient, type ClientInfo } from '@latchkey/core/internal/kernel/client-info';
import { DryRun } from './dry-run.js';
import { FactorImporter } from './factor-importer.js';
import { readEntries } from './formats/read-entries.js';
import type { SourceEntry } from './formats/source-entry.js';
import type { ImportReport } from './import-check.js';
import { importOptions, type ImportProgress, type ImportRequest } from './import-options.js';
import type { ImportCounts } from './import-run-repository.js';
import { RunningImport, type RunningImportDeps } from './running-import.js';

/** A file with users. */
class ImportSource {
  readonly #path: string;
  /** Bytes; undefined for a pipe. */
  readonly size: number | undefined;
  #bytesRead = 0;

  private constructor(path: string, size: number | undefined) {
    this.#path = path;
    this.size = size;
  }

  /** @throws Error of the operating system when there is no such file. */
  static async open(path: string): Promise<ImportSource> {
    const found = await stat(path);
    return new ImportSource(path, found.isFile() ? found.size : undefined);
  }

  /** Bytes of the last `read` so far. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /**
   * Returns what identifies an import of this file: the same for the same content and options, so that an interrupted
   * one is found again. A pipe can be read once only, so its import is always a new one.
   */
  async digest(options: object): Promise<Buffer> {
    const hash = createHash('sha256').update(JSON.stringify(options)).update('\n');
    if (this.size === undefined) return hash.update(randomBytes(32)).digest();
    await pipeline(createReadStream(this.#path), hash, { end: false });
    return hash.digest();
  }

  async *read(): AsyncGenerator<Buffer> {
    this.#bytesRead = 0;
    for await (const chunk of createReadStream(this.#path, { highWaterMark: 256 * 1024 })) {
      this.#bytesRead += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }
}

/**
 * Entries of one transaction: small enough to be far from the time limit of a statement, and so large that the round trips
 * of its dozen statements, each of which waits for a turn of the checks, are a small part of its time.
 */
const BATCH = 2000;

/** How to follow and stop an import. */
export interface ImportFollower {
  /** Called once if the import continues one that was interrupted after this entry. */
  onResume?: ((position: number) => void) | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Called at the end with everything that was rejected or left out, in slices, in the order of the file. */
  onReports?: ((reports: readonly ImportReport[]) => void | Promise<void>) | undefined;
  /** Called when every report was passed on, before the import counts as finished. */
  onComplete?: (() => void | Promise<void>) | undefined;
  /** Stops the import after the batch that is being written; the same call continues it. */
  signal?: AbortSignal | undefined;
}

/** The result of an import, with the numbers of all its runs if it was interrupted. */
export interface ImportResult {
  status: 'ok';
  created: number;
  updated: number;
  skipped: number;
  rejected: number;
  /** False if the import was stopped; the same call continues it. */
  isComplete: boolean;
}

type UserImporterDeps = Omit<RunningImportDeps, 'factorImporter'>;

/** Imports users from files of this service and of others. */
export class UserImporter {
  readonly #deps: UserImporterDeps;

  constructor(deps: UserImporterDeps) {
    this.#deps = deps;
  }

  /**
   * Imports the users of a file. Memory does not grow with its size. Each batch is one transaction together with the
   * position in the file, so an import that was interrupted, even killed, is continued by the same call: no user is
   * missing or there twice.
   * @throws AuthError `validation_error` for options and for a file that is not of the format, `conflict` if a user exists
   * (`onConflict: 'fail'`) or another process continues the same import, `service_unavailable`. Errors of the operating
   * system for a file that cannot be read.
   */
  async importFile(
    actor: TrustedActor,
    { file, firebase, encryptionKeys, ...given }: ImportRequest,
    follower: ImportFollower = {},
    client: ClientInfo = unknownClient,
  ): Promise<ImportResult> {
    const options = checkInput(importOptions, given, 'options');
    const source = await ImportSource.open(file);
    const batches = () => batchesOf(readEntries(source.read(), options.format, { firebase }));
    const following = { follower, source };
    const cipher = encryptionKeys && new ValueCipher(encryptionKeys);
    const deps = withOthers(this.#deps, { factorImporter: new FactorImporter(this.#deps.database, cipher) });
    if (options.dryRun) return check(batches(), new DryRun(options, deps), following);
    const digest = await source.digest({ ...options, firebase });
    const run = await this.#deps.importRuns.begin({
      digest,
      format: options.format,
      actor: actorLabel(actor),
    });
    if (run.position > 0) follower.onResume?.(run.position);
    const running = new RunningImport(run, { actor, client, options }, deps);
    if (!(await writeAll(batches(), running, following))) return resultOf(running.counts, false);
    for await (const reports of this.#deps.importRuns.reports(run.id)) await follower.onReports?.(reports);
    await follower.onComplete?.();
    await this.#deps.importRuns.finish(run.id);
    return resultOf(running.counts, true);
  }
}

interface Following {
  readonly follower: ImportFollower;
  readonly source: ImportSource;
}

/** Prepares each batch while the one before it is written. @returns false if the import was stopped. */
async function writeAll(
  batches: AsyncIterable<readonly SourceEntry[]>,
  running: RunningImport,
  { follower, source }: Following,
): Promise<boolean> {
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      const left = batch.filter(({ position }) => position > running.preparedTo);
      if (left.length === 0) continue;
      const prepared = await running.prepare(left);
      await writing;
      follower.onProgress?.({ entries: running.position, bytes: source.bytesRead, totalBytes: source.size });
      if (follower.signal?.aborted) return false;
      writing = running.write(prepared);
      // A failure is thrown where the next batch is ready, which may be later.
      writing.catch(() => undefined);
    }
  } finally {
    // A failure to read must not leave a transaction behind.
    await Promise.allSettled([writing]);
  }
  await writing;
  return true;
}

/** Checks the file and writes nothing. */
async function check(
  batches: AsyncIterable<readonly SourceEntry[]>,
  dryRun: DryRun,
  { follower, source }: Following,
): Promise<ImportResult> {
  for await (const batch of batches) {
    const reports = await dryRun.add(batch);
    if (reports.length > 0) await follower.onReports?.(reports);
    follower.onProgress?.({ entries: dryRun.position, bytes: source.bytesRead, totalBytes: source.size });
    if (follower.signal?.aborted) return resultOf(dryRun.counts, false);
  }
  await follower.onComplete?.();
  return resultOf(dryRun.counts, true);
}

/** Joins and cuts slices of entries to batches of one size. */
async function* batchesOf(
  slices: AsyncIterable<readonly SourceEntry[]>,
): AsyncGenerator<readonly SourceEntry[]> {
  let waiting: SourceEntry[] = [];
  for await (const slice of slices) {
    for (const entry of slice) {
      waiting.push(entry);
      if (waiting.length < BATCH) continue;
      yield waiting;
      waiting = [];
    }
  }
  if (waiting.length > 0) yield waiting;
}

const resultOf = (counts: ImportCounts, isComplete: boolean): ImportResult => {
  const { created, updated, skipped, rejected } = counts;
  return { status: 'ok', created, updated, skipped, rejected, isComplete };
};
