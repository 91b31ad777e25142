import { type Database, statement } from '@latchkey/core/internal/storage/database';

export interface HostState {
  isStandby: boolean;
  acceptsWrites: boolean;
  /** Seconds since the last change that a standby has replayed; null for a primary, and without any change. */
  lagSeconds: number | null;
  /** The setting `synchronous_standby_names`: empty if no commit waits for a standby. */
  synchronousStandbys: string;
}

const STATE = statement(
  'doctor_host_state',
  `select pg_is_in_recovery() as "isStandby",
     not (pg_is_in_recovery() or current_setting('transaction_read_only')::bool) as "acceptsWrites",
     case when pg_is_in_recovery() then
       case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
         else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end
     end as "lagSeconds",
     current_setting('synchronous_standby_names') as "synchronousStandbys"`,
);

/** Reads the role of one server of several. */
export class DatabaseHostRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async state(): Promise<HostState> {
    const [row] = await this.#database.query<HostState>(STATE, []);
    if (!row) throw new Error('the server returned no state');
    return row;
  }
}
