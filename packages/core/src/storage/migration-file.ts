import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './migration-error.js';
import { readMigrationHeader, type MigrationHeader } from './migration-header.js';

export interface MigrationFile extends MigrationHeader {
  /** The four digits. */
  version: string;
  /** The noun after them. */
  name: string;
  fileName: string;
  sql: string;
  /** SHA-256 of the text, lower-case hexadecimal. */
  checksum: string;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/**
 * Returns the `NNNN_noun.sql` files of a folder in the order of their versions. Throws MigrationError for a folder that
 * cannot be read, a `.sql` file with another name, or a version used twice.
 */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const fileNames = (await listSqlFiles(directory)).sort();
  const files = await Promise.all(fileNames.map((fileName) => readMigrationFile(directory, fileName)));
  assertVersionsUnique(files);
  return files;
}

async function listSqlFiles(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((entry) => entry.endsWith('.sql'));
  } catch (error) {
    throw new MigrationError(
      `The migrations folder ${directory} cannot be read. Check MIGRATIONS_PATH.`,
      error,
    );
  }
}

async function readMigrationFile(directory: string, fileName: string): Promise<MigrationFile> {
  const [, version, name] = FILE_NAME.exec(fileName) ?? [];
  if (version === undefined || name === undefined) {
    throw new MigrationError(
      `${fileName} is not a valid name for a migration. Rename it to the form 0001_users.sql.`,
    );
  }
  const sql = normalisedSql(await readFile(join(directory, fileName), 'utf8'));
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { version, name, fileName, sql, checksum, ...readMigrationHeader(fileName, sql) };
}

/**
 * Returns the SQL without differences that are no change of a migration: Windows line ends and a byte order
 * mark.
 */
export function normalisedSql(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

function assertVersionsUnique(files: readonly MigrationFile[]): void {
  files.forEach((file, index) => {
    const previous = files[index - 1];
    if (previous?.version !== file.version) return;
    throw new MigrationError(
      `${previous.fileName} and ${file.fileName} have the same version. Give the newer one the next free number.`,
    );
  });
}
