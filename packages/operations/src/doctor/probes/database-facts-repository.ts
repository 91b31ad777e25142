import { type Database, statement } from '@latchkey/core/internal/storage/database';

/** Settings of the server that decide on the durability of commits and the number of connections. */
export interface ServerSettings {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  max_connections: string;
  superuser_reserved_connections: string;
  default_transaction_read_only: string;
  server_version_num: string;
  server_version: string;
  server_encoding: string;
}

export interface ServerState {
  isStandby: boolean;
  /** The lowest limit of server, database and account together; undefined if only the server limits. */
  ownLimit: number | undefined;
  /** Connections of other clients. */
  otherConnections: number;
  /** Seconds since the oldest visible transaction of any client began; 0 without one. */
  oldestTransaction: number;
  /** True if parts of names can be searched without reading the table. */
  hasTrigrams: boolean;
  /** The name of the account, and of the schema in which it creates tables. */
  role: string;
  schema: string;
  /** True if the account may create tables there. */
  mayCreate: boolean;
  /** Up to three of our tables that the account may not read or change. */
  lacking: string[];
}

const SETTINGS = statement(
  'doctor_settings',
  `select name, setting from pg_settings where name = any($1::text[])`,
);

const STATE = statement(
  'doctor_state',
  `select pg_is_in_recovery() as "isStandby",
     (select least(nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1))
      from pg_database d, pg_roles r
      where d.datname = current_database() and r.rolname = current_user) as "ownLimit",
     (select count(*)::int from pg_stat_activity
      where backend_type = 'client backend' and application_name <> all ($1::text[])) as "otherConnections",
     (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()) as "oldestTransaction",
     exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
     quote_ident(current_user) as role, coalesce(quote_ident(current_schema()), 'public') as schema,
     coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate",
     array(select relname::text from pg_class c
       where relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migrations'))
         and relkind in ('r', 'p') and relname <> 'schema_migrations'
         and relname = any (array['users', 'sessions', 'auth_audit_logs', 'mail_outbox', 'company_memberships', 'invitations'])
         and not (has_table_privilege(oid, 'SELECT') and has_table_privilege(oid, 'INSERT')
           and has_table_privilege(oid, 'UPDATE') and has_table_privilege(oid, 'DELETE'))
       order by relname limit 3) as lacking`,
);

const NAMES: readonly (keyof ServerSettings)[] = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'max_connections',
  'superuser_reserved_connections',
  'default_transaction_read_only',
  'server_version_num',
  'server_version',
  'server_encoding',
];

/** Reads facts about the server. */
export class DatabaseFactsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async settings(): Promise<ServerSettings> {
    const rows = await this.#database.query<{ name: string; setting: string }>(SETTINGS, [NAMES]);
    const values = new Map(rows.map(({ name, setting }) => [name, setting]));
    // Every supported version of PostgreSQL has all of these.
    return Object.fromEntries(
      NAMES.map((name) => [name, values.get(name) ?? '']),
    ) as unknown as ServerSettings;
  }

  /** @param ownNames the application names of connections to exclude. */
  async state(ownNames: readonly string[]): Promise<ServerState> {
    const [row] = await this.#database.query<ServerState>(STATE, [ownNames]);
    if (!row) throw new Error('the server returned no state');
    return { ...row, ownLimit: row.ownLimit ?? undefined };
  }

  /** Returns the milliseconds by which the clock of the server is ahead of ours, with the uncertainty. */
  async clock(): Promise<{ ahead: number; uncertainty: number; roundTrip: number }> {
    return this.#database.withConnection(async (connection) => {
      const before = Date.now();
      const started = performance.now();
      const { rows } = await connection.query<{ now: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
      );
      const roundTrip = performance.now() - started;
      const ahead = (rows[0]?.now ?? Number.NaN) - (before + roundTrip / 2);
      return { ahead, uncertainty: roundTrip / 2, roundTrip };
    });
  }
}
