import { idRangeOf } from '../kernel/id-prefix.js';
import type { Database } from '../storage/database.js';
import { SESSION_ENTRY_COLUMNS, toSessionEntry, type SessionEntryRow } from './session-list-repository.js';
import type { SessionDetails } from './session.js';

interface DetailsRow extends SessionEntryRow {
  amr: string[];
  auth_time: Date;
  is_expired: boolean;
  is_revoked: boolean;
  revoked_at: Date | null;
  revoke_reason: SessionDetails['revokeReason'];
}

const COLUMNS = ['s.amr', 's.auth_time', 's.is_revoked', 's.revoked_at', 's.revoke_reason'];
const IS_EXPIRED = 's.expires_at <= now()';

/** Sessions in full, live or not. */
export class SessionDetailsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those whose id begins so, at most `limit`: active ones first, then the newest. */
  async findByPrefix(prefix: string, limit: number): Promise<SessionDetails[]> {
    const ids = idRangeOf(prefix);
    if (!ids) return [];
    const rows = await this.#database.run((knex) =>
      knex('sessions as s')
        .join('users as u', 'u.id', 's.user_id')
        .whereBetween('s.id', [ids.first, ids.last])
        .orderByRaw(`s.is_revoked OR ${IS_EXPIRED}, s.created_at DESC, s.id DESC`)
        .limit(limit)
        .select<DetailsRow[]>(...SESSION_ENTRY_COLUMNS, ...COLUMNS, knex.raw(`${IS_EXPIRED} AS is_expired`)),
    );
    return rows.map(toDetails);
  }
}

const toDetails = (row: DetailsRow): SessionDetails => ({
  ...toSessionEntry(row),
  amr: row.amr,
  authTime: row.auth_time,
  state: row.is_revoked ? 'revoked' : row.is_expired ? 'expired' : 'active',
  revokedAt: row.revoked_at,
  revokeReason: row.revoke_reason,
});
