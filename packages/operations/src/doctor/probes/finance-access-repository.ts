import { statement, type Database } from '@latchkey/core/internal/storage/database';

const RIGHTS = statement(
  'doctor_finance_rights',
  `select current_user as account,
     (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
     (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
        and has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) as writable`,
);

export interface FinanceRights {
  account: string;
  isSuperuser: boolean;
  /** Number of tables that the account may change. */
  writable: number;
}

/** Reads the privileges of the account in the finance database. */
export class FinanceAccessRepository {
  readonly #finance: Database;

  constructor(finance: Database) {
    this.#finance = finance;
  }

  async rights(): Promise<FinanceRights> {
    const [row] = await this.#finance.query<FinanceRights>(RIGHTS, []);
    if (!row) throw new Error('the server returned no account');
    return row;
  }
}
