import { newId } from '@latchkey/core/internal/kernel/id';
import { statement, type Database, type Transaction } from '@latchkey/core/internal/storage/database';
import { toCount } from '@latchkey/core/internal/storage/postgres-types';
import type { ImportReport } from './import-check.js';

/** Numbers of users of an import, and how far it has come. */
export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly rejected: number;
}

/** An import that is not finished. */
export interface ImportRun extends ImportCounts {
  readonly id: string;
  /** The last entry that was decided; 0 at the start. */
  readonly position: number;
}

interface RunRow {
  id: string;
  position: string;
  created_count: string;
  updated_count: string;
  skipped_count: string;
  rejected_count: string;
}

const COLUMNS = 'id, position, created_count, updated_count, skipped_count, rejected_count';

/** Begins a run, or returns the unfinished one of the same file. */
const BEGIN = statement(
  'import_begin',
  `INSERT INTO user_imports (id, source_digest, format, actor) VALUES ($1, $2, $3, $4)
   ON CONFLICT (source_digest) WHERE finished_at IS NULL DO UPDATE SET actor = user_imports.actor
   RETURNING ${COLUMNS}`,
);
const LOCK = statement(
  'import_lock',
  'SELECT id FROM user_imports WHERE id = $1 AND position = $2 AND finished_at IS NULL FOR UPDATE',
);
const ADVANCE = statement(
  'import_advance',
  `UPDATE user_imports SET position = $2, created_count = created_count + $3, updated_count = updated_count + $4,
     skipped_count = skipped_count + $5, rejected_count = rejected_count + $6 WHERE id = $1`,
);
const ADD_REPORTS = statement(
  'import_add_reports',
  `INSERT INTO user_import_reports (import_id, position, outcome, reasons)
   SELECT $1, r.position, r.outcome, r.reasons
   FROM json_to_recordset($2::json) AS r(position bigint, outcome text, reasons text[])`,
);
const REPORTS = statement(
  'import_reports',
  `SELECT position, outcome, reasons FROM user_import_reports WHERE import_id = $1 AND position > $2
   ORDER BY position LIMIT $3`,
);
const FINISH = statement(
  'import_finish',
  'UPDATE user_imports SET finished_at = now() WHERE id = $1 AND finished_at IS NULL',
);
const REMOVE_REPORTS = statement(
  'import_remove_reports',
  'DELETE FROM user_import_reports WHERE import_id = $1',
);

const REPORTS_AT_ONCE = 1000;

/** Stores how far imports have come. */
export class ImportRunRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Begins an import, or returns the one of this source that was interrupted. */
  async begin(source: { digest: Buffer; format: string; actor: string }): Promise<ImportRun> {
    const values = [newId(), source.digest, source.format, source.actor];
    const [row] = await this.#database.query<RunRow>(BEGIN, values);
    if (!row) throw new Error('the import was not begun');
    return {
      id: row.id,
      position: toCount(row.position),
      created: toCount(row.created_count),
      updated: toCount(row.updated_count),
      skipped: toCount(row.skipped_count),
      rejected: toCount(row.rejected_count),
    };
  }

  /** Locks a run until the transaction ends. @returns false if another process has written what comes next. */
  async lock(id: string, position: number, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(LOCK, [id, position], trx)).length > 0;
  }

  /** Records how far a run has come, in the transaction that has locked it and writes the users. */
  async advance(id: string, position: number, counts: ImportCounts, trx: Transaction): Promise<void> {
    const { created, updated, skipped, rejected } = counts;
    await this.#database.query(ADVANCE, [id, position, created, updated, skipped, rejected], trx);
  }

  async addReports(id: string, reports: readonly ImportReport[], trx: Transaction): Promise<void> {
    if (reports.length > 0) await this.#database.query(ADD_REPORTS, [id, JSON.stringify(reports)], trx);
  }

  /** Yields the reports of a run in the order of the file, in slices. */
  async *reports(id: string): AsyncGenerator<readonly ImportReport[]> {
    let after = 0;
    for (;;) {
      const rows = await this.#database.query<ImportReport>(REPORTS, [id, after, REPORTS_AT_ONCE]);
      const reports = rows.map((row) => ({ ...row, position: toCount(row.position) }));
      if (reports.length > 0) yield reports;
      if (rows.length < REPORTS_AT_ONCE) return;
      after = reports.at(-1)?.position ?? after;
    }
  }

  /** Ends a run; its reports are removed. */
  async finish(id: string): Promise<void> {
    await this.#database.transaction(async (trx) => {
      await this.#database.query(FINISH, [id], trx);
      await this.#database.query(REMOVE_REPORTS, [id], trx);
    });
  }
}
