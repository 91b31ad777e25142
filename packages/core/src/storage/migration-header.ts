import { MigrationError } from './migration-error.js';

/** What a migration file declares about itself in its first lines. */
export interface MigrationHeader {
  /** True if the version of the program before the file runs on its result; null if the file does not say. */
  compatible: boolean | null;
  /** Why it is not compatible; null unless the file says so. */
  incompatibleReason: string | null;
  /** False for a file that builds or drops indexes without blocking writes, which PostgreSQL refuses in a transaction. */
  transactional: boolean;
}

const COMPATIBLE = /^-- compatible$/;
const INCOMPATIBLE = /^-- incompatible(?::\s*(?<reason>.*))?$/;
const NO_TRANSACTION = /^-- no transaction$/;

/**
 * Reads the declarations of a file: `-- compatible` or `-- incompatible: reason` in the first line, `-- no transaction`
 * in the first or second. A file without the first counts as incompatible. Throws MigrationError for `-- incompatible`
 * without a reason.
 */
export function readMigrationHeader(fileName: string, sql: string): MigrationHeader {
  const [first = '', second = ''] = sql.split('\n', 2).map((line) => line.trimEnd());
  const transactional = ![first, second].some((line) => NO_TRANSACTION.test(line));
  if (COMPATIBLE.test(first)) return { compatible: true, incompatibleReason: null, transactional };
  const incompatible = INCOMPATIBLE.exec(first);
  if (!incompatible) return { compatible: null, incompatibleReason: null, transactional };
  const reason = incompatible.groups?.reason?.trim() ?? '';
  if (reason === '') {
    throw new MigrationError(
      `${fileName} does not say why it is incompatible. Write its first line as: -- incompatible: <reason>`,
    );
  }
  return { compatible: false, incompatibleReason: reason, transactional };
}
