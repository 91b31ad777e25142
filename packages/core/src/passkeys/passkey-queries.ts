import type { Knex } from 'knex';
import { idRangeOf } from '../kernel/id-prefix.js';
import type { Database, Transaction } from '../storage/database.js';
import { toPasskey, type PasskeyRow } from './passkey-repository.js';
import type { OwnedPasskey } from './passkey.js';

interface OwnedRow extends PasskeyRow {
  user_id: string;
  email: string;
  full_name: string | null;
}

const COLUMNS = [
  'p.id',
  'p.user_id',
  'u.email',
  'u.full_name',
  'p.name',
  'p.device_type',
  'p.backed_up',
  'p.transports',
  'p.created_at',
  'p.last_used_at',
];

/** Reads passkeys of all users, with their owners. */
export class PasskeyQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the passkeys whose id starts with the prefix, at most `limit`, newest first. */
  async findByPrefix(prefix: string, limit: number): Promise<OwnedPasskey[]> {
    const ids = idRangeOf(prefix);
    if (!ids) return [];
    const rows = await this.#database.run((knex) =>
      withOwners(knex)
        .whereBetween('p.id', [ids.first, ids.last])
        .orderBy('p.id', 'desc')
        .limit(limit)
        .select<OwnedRow[]>(COLUMNS),
    );
    return rows.map(toOwnedPasskey);
  }

  async findById(id: string, trx: Transaction): Promise<OwnedPasskey | undefined> {
    const [row] = await withOwners(trx).where('p.id', id).select<OwnedRow[]>(COLUMNS);
    return row && toOwnedPasskey(row);
  }
}

const withOwners = (knex: Knex): Knex.QueryBuilder =>
  knex('passkey_credentials as p').join('users as u', 'u.id', 'p.user_id');

const toOwnedPasskey = (row: OwnedRow): OwnedPasskey => ({
  ...toPasskey(row),
  owner: { id: row.user_id, email: row.email, fullName: row.full_name },
});
