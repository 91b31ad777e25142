import type pg from 'pg';
import type { Connection } from '../../../packages/core/src/storage/connection-pool.js';
import type { Database } from '../../../packages/core/src/storage/database.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** The tables and indexes that the statements of a lookup read. */
export interface Reads {
  /** Indexes, and tables that were read without one. */
  scans: string[];
  /** Large tables that were read from the first to the last row. */
  wholeTables: string[];
  /** Rows of the scan that read most. */
  rows: number;
}

/** A table with fewer rows may be read completely: PostgreSQL rightly prefers that to an index. */
const SMALL_TABLE_ROWS = 2_000;

const SETTINGS = {
  session_preload_libraries: "'auto_explain'",
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_format': "'json'",
  // Rows are counted, times are not: they would slow the statements down.
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  // Foreign keys and triggers, too.
  'auto_explain.log_nested_statements': 'on',
  client_min_messages: "'log'",
};

/** Records the plans of statements, as the auto_explain module of PostgreSQL logs them. */
export class PlanRecorder {
  readonly #largeTables: ReadonlySet<string>;
  readonly #watched = new WeakSet<Connection>();
  #plans: PlanNode[] = [];

  private constructor(largeTables: ReadonlySet<string>) {
    this.#largeTables = largeTables;
  }

  /**
   * Enables plan logging for all later connections of this role, which must be a superuser. With `avoidSeqScans`
   * PostgreSQL reads a table completely only if no index serves, however small the table is.
   */
  static async enable(
    client: pg.Client,
    { avoidSeqScans }: { avoidSeqScans: boolean },
  ): Promise<PlanRecorder> {
    const settings = { ...SETTINGS, enable_seqscan: avoidSeqScans ? 'off' : 'on' };
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER ROLE CURRENT_USER SET ${name} = ${value}`);
    }
    const { rows } = await client.query<{ relname: string }>(
      `SELECT relname FROM pg_class
       WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND reltuples >= $1`,
      [SMALL_TABLE_ROWS],
    );
    return new PlanRecorder(new Set(rows.map(({ relname }) => relname)));
  }

  /** Listens to all connections of the database, of which it opens `poolMax`. Repeat it: a pool replaces connections. */
  async watch(database: Database, poolMax: number): Promise<void> {
    let lent = 0;
    let allLent: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (allLent = resolve));
    await Promise.all(
      Array.from({ length: poolMax }, () =>
        database.withConnection((connection) => {
          this.#listenTo(connection);
          if (++lent === poolMax) allLent();
          return all;
        }),
      ),
    );
  }

  /** Returns what was read since the last call. */
  take(): Reads {
    const nodes = this.#plans.flatMap(flatten).filter((node) => node['Node Type'].includes('Scan'));
    this.#plans = [];
    const whole = nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '');
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    return {
      scans: [...new Set([...indexes, ...whole.map((table) => `all of ${table}`)])],
      wholeTables: [...new Set(whole)].filter((table) => this.#largeTables.has(table)),
      rows: Math.max(0, ...nodes.map(rowsReadBy)),
    };
  }

  #listenTo(connection: Connection): void {
    if (this.#watched.has(connection)) return;
    this.#watched.add(connection);
    connection.on('notice', (notice) => this.#note(notice.message ?? ''));
  }

  #note(message: string): void {
    const json = message.indexOf('{');
    if (!message.includes('plan:') || json < 0) return;
    const { Plan } = JSON.parse(message.slice(json)) as { Plan: PlanNode };
    this.#plans.push(Plan);
  }
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Figures of a node are averages of its loops. */
const rowsReadBy = (node: PlanNode): number =>
  Math.round(
    ((node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
      (node['Actual Loops'] ?? 1),
  );
