import type { Database } from './database.js';
import { statement } from './statement.js';

/** Seconds for which a lease is valid after its last renewal. */
export const LEASE_SECONDS = 10;

/** Takes a free or expired lease, or renews its own: in one statement, by the clock of the database. */
const TAKE = statement(
  'store_lease_take',
  `INSERT INTO store_leases AS held (holder, held_by) VALUES ($1, $2)
   ON CONFLICT (only_row) DO UPDATE SET holder = $1, held_by = $2, renewed_at = now()
   WHERE held.holder = $1 OR held.renewed_at < now() - make_interval(secs => ${LEASE_SECONDS})
   RETURNING held_by`,
);
const HOLDER = statement('store_lease_holder', 'SELECT held_by AS "heldBy" FROM store_leases');
const GIVE = statement('store_lease_give', 'DELETE FROM store_leases WHERE holder = $1');

/** The lease of the in-process store, of which a database has one. */
export class StoreLeaseRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns false while another process holds it. */
  async take(holder: string, heldBy: string): Promise<boolean> {
    return (await this.#database.query(TAKE, [holder, heldBy])).length > 0;
  }

  /** Returns the process that holds it. */
  async holder(): Promise<string | undefined> {
    const [row] = await this.#database.query<{ heldBy: string }>(HOLDER, []);
    return row?.heldBy;
  }

  async give(holder: string): Promise<void> {
    await this.#database.query(GIVE, [holder]);
  }
}
