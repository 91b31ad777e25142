import type pg from 'pg';
import type { Database } from '../../packages/core/src/storage/database.js';

/** Tables that grow with the number of users. Sequential scans of smaller tables are acceptable. */
const LARGE_TABLES = new Set([
  'users',
  'sessions',
  'auth_audit_logs',
  'company_memberships',
  'business_unit_memberships',
  'membership_module_rules',
  'invitations',
  'password_reset_tokens',
  'email_verification_tokens',
  'mail_outbox',
]);

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** Records the plans of one connection's statements, as the auto_explain module of PostgreSQL logs them. */
export class PlanRecorder {
  #plans: PlanNode[] = [];

  /** Enables plan logging for all later connections of this database role. */
  static async enable(client: pg.Client): Promise<void> {
    const settings = {
      session_preload_libraries: "'auto_explain'",
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_format': "'json'",
      client_min_messages: "'log'",
    };
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER ROLE CURRENT_USER SET ${name} = ${value}`);
    }
  }

  static async attach(database: Database): Promise<PlanRecorder> {
    const recorder = new PlanRecorder();
    await database.withConnection((connection) => {
      connection.on('notice', (notice) => recorder.#note(notice.message ?? ''));
      return Promise.resolve();
    });
    return recorder;
  }

  /** Returns the scans since the last call, and the large tables that were scanned sequentially. */
  take(): { scans: string[]; wholeTables: string[] } {
    const nodes = this.#plans.flatMap(flatten).filter((node) => node['Node Type'].includes('Scan'));
    this.#plans = [];
    const whole = nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '');
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    return {
      scans: [...new Set([...indexes, ...whole.map((table) => `all of ${table}`)])],
      wholeTables: [...new Set(whole)].filter((table) => LARGE_TABLES.has(table)),
    };
  }

  #note(message: string): void {
    const json = message.indexOf('{');
    if (!message.includes('plan:') || json < 0) return;
    const { Plan } = JSON.parse(message.slice(json)) as { Plan: PlanNode };
    this.#plans.push(Plan);
  }
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
