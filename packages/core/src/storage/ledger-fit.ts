import { MigrationError } from './migration-error.js';
import type { MigrationFile } from './migration-file.js';
import type { LedgerEntry } from './migration-ledger.js';

/** How the ledger and the files of a program compare. */
export interface LedgerFit {
  /** The files that are not applied, in order. */
  pending: MigrationFile[];
  /** Names of applied migrations that are newer than every file; this program runs on their result. */
  newer: string[];
}

/**
 * Compares the ledger with the files. Throws MigrationError when an applied file was changed or is missing, or when the
 * database is newer than the files and a newer migration is not declared compatible.
 */
export function fitLedger(
  ledger: readonly LedgerEntry[],
  files: readonly MigrationFile[],
  directory: string,
): LedgerFit {
  const byVersion = new Map(files.map((file) => [file.version, file]));
  const newer: string[] = [];
  for (const entry of ledger) {
    const file = byVersion.get(entry.version);
    if (file) assertUnchanged(entry, file);
    else if (!isNewer(entry, files)) throw missingError(entry, directory);
    else if (entry.compatible === true) newer.push(fileNameOf(entry));
    else throw newerError(entry, files.at(-1));
  }
  const applied = new Set(ledger.map(({ version }) => version));
  return { pending: files.filter(({ version }) => !applied.has(version)), newer };
}

/** Returns true if a newer version of the program has applied the migration. */
export function isNewer({ version }: Pick<LedgerEntry, 'version'>, files: readonly MigrationFile[]): boolean {
  const newest = files.at(-1);
  return newest === undefined || version > newest.version;
}

/** Throws MigrationError if files are pending on a schema that a newer version of the program has migrated. */
export function assertMayMigrate({ pending, newer }: LedgerFit): void {
  const [lacking] = pending;
  const [first] = newer;
  if (lacking === undefined || first === undefined) return;
  throw new MigrationError(
    `The database lacks ${lacking.fileName} but has ${first}, which is newer than this program. ` +
      'An older program does not change a newer schema: run the migrations of the newer one.',
  );
}

function assertUnchanged(entry: LedgerEntry, file: MigrationFile): void {
  if (entry.checksum === file.checksum) return;
  throw new MigrationError(
    `${file.fileName} was changed after it was applied on ${entry.appliedAt.toISOString()}. ` +
      'Restore the file as it was and put the change into a new migration.',
  );
}

function missingError(entry: LedgerEntry, directory: string): MigrationError {
  return new MigrationError(
    `${fileNameOf(entry)} was applied to this database but is not in ${directory}. ` +
      'Restore the file, or point MIGRATIONS_PATH to the folder that holds it.',
  );
}

function newerError(entry: LedgerEntry, newest: MigrationFile | undefined): MigrationError {
  const reason = entry.incompatibleReason ?? 'it is not declared compatible';
  return new MigrationError(
    `The database has ${fileNameOf(entry)}, which is newer than ${newest?.fileName ?? 'no migration at all'}, the ` +
      `last one this program knows, and this program cannot run on it: ${reason}. ` +
      'Start the newer program, or restore a backup from before that migration.',
  );
}

function fileNameOf(entry: LedgerEntry): string {
  return `${entry.version}_${entry.name}.sql`;
}
