import { MigrationError } from './migration-error.js';
import type { MigrationFile } from './migration-file.js';

/** A statement that builds or drops one index without blocking writes. */
export interface IndexStatement {
  kind: 'create' | 'drop';
  index: string;
  /** The table of an index to create; undefined for one to drop. */
  table?: string | undefined;
  sql: string;
}

const NAME = '[a-z_][a-z0-9_]*';
const CREATE = new RegExp(
  `^create\\s+(?:unique\\s+)?index\\s+concurrently\\s+(?:if\\s+not\\s+exists\\s+)?(?<index>${NAME})\\s+on\\s+(?<table>${NAME})\\b`,
  'i',
);
const DROP = new RegExp(`^drop\\s+index\\s+concurrently\\s+(?:if\\s+exists\\s+)?(?<index>${NAME})$`, 'i');

/**
 * Returns the statements of a file that runs outside a transaction. Throws MigrationError for any other statement: it
 * could be neither rolled back nor repeated after the process was killed.
 */
export function readIndexStatements({ fileName, sql }: MigrationFile): IndexStatement[] {
  const statements = sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return statements.map((text) => readStatement(fileName, text));
}

function readStatement(fileName: string, sql: string): IndexStatement {
  const created = CREATE.exec(sql)?.groups;
  if (created?.index !== undefined && created.table !== undefined) {
    return { kind: 'create', index: created.index.toLowerCase(), table: created.table.toLowerCase(), sql };
  }
  const dropped = DROP.exec(sql)?.groups;
  if (dropped?.index !== undefined) return { kind: 'drop', index: dropped.index.toLowerCase(), sql };
  throw new MigrationError(
    `${fileName} runs outside a transaction, where only CREATE INDEX CONCURRENTLY name ON table and ` +
      `DROP INDEX CONCURRENTLY name are allowed, with plain names. Move this statement to a file of its own: ` +
      sql.slice(0, 60),
  );
}
