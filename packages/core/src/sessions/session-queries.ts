import type { Knex } from 'knex';
import { idRangeOf } from '../kernel/id-prefix.js';
import { readAs } from '../kernel/open-list.js';
import { MAX_EXACT_TOTAL, mapPage, placedPageOf, type Page, type PageRequest } from '../kernel/page.js';
import { cursorOf, type RowPosition } from '../kernel/row-position.js';
import { countBounded } from '../storage/bounded-count.js';
import { statement, type Database } from '../storage/database.js';
import { whereInNetwork } from '../storage/network.js';
import { newestPage } from '../storage/newest-page.js';
import { applyUserSearch } from '../users/user-queries.js';
import { sessionLevel } from './session-level.js';
import type { CheckedSessionFilter } from './session-schema.js';
import {
  REVOKE_REASONS,
  SESSION_ORIGINS,
  type SessionActor,
  type SessionDetails,
  type SessionEntry,
} from './session.js';

/** Columns of a list entry, of a session, `s`, and its user, `u`. */
interface SessionEntryRow {
  id: string;
  user_id: string;
  email: string;
  global_role: SessionEntry['globalRole'];
  approval_status: SessionEntry['approvalStatus'];
  profile_picture_url: string | null;
  ip_address: string | null;
  user_agent: string | null;
  device_name: string | null;
  origin: string;
  parent_session_id: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  acting_sub: string | null;
  acting_user_id: string | null;
  acting_name: string | null;
  acting_reason: string | null;
  acting_full_name: string | null;
  amr: string[];
}

type ActorRow = Pick<
  SessionEntryRow,
  'acting_user_id' | 'acting_name' | 'acting_reason' | 'acting_full_name'
>;

interface DetailsRow extends SessionEntryRow {
  acr: SessionDetails['acr'];
  auth_time: Date;
  is_expired: boolean;
  is_revoked: boolean;
  revoked_at: Date | null;
  revoke_reason: string | null;
}

const ENTRY_COLUMNS = [
  's.id',
  's.user_id',
  'u.email',
  'u.global_role',
  'u.approval_status',
  'u.profile_picture_url',
  's.ip_address',
  's.user_agent',
  's.device_name',
  's.origin',
  's.parent_session_id',
  's.created_at',
  's.last_used_at',
  's.expires_at',
  's.acting_sub',
  's.acting_user_id',
  's.acting_name',
  's.acting_reason',
  'acting.full_name as acting_full_name',
  's.amr',
];

const DETAILS_COLUMNS = ['s.auth_time', 's.is_revoked', 's.revoked_at', 's.revoke_reason'];
const IS_EXPIRED = 's.expires_at <= now()';

const BY_PROVIDER = statement(
  'session_find_by_provider_session',
  `SELECT DISTINCT s.user_id AS "userId", i.id AS "identityId"
   FROM sessions s JOIN external_identities i ON i.id = s.external_identity_id
   WHERE s.provider_session_id = $2 AND NOT s.is_revoked AND i.connection_id = $1`,
);

/**
 * Sessions are not stored by company: each member is one more look-up, at another place of the table. Ten thousand of them take
 * longer than all else that the list reads.
 */
const MAX_EXACT_OF_COMPANY = 1_000;

const CURRENT_ACTOR = statement(
  'session_current_actor',
  `SELECT s.acting_user_id, s.acting_name, s.acting_reason, acting.full_name AS acting_full_name, s.acting_until
   FROM sessions s LEFT JOIN users acting ON acting.id = s.acting_user_id
   WHERE s.id = $1 AND s.acting_sub IS NOT NULL`,
);

/** Reads sessions for lists, counts and the details of one session. */
export class SessionQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the users and identities of the sessions that a provider knows by this id. */
  findByProviderSession(
    connectionId: string,
    providerSessionId: string,
  ): Promise<{ userId: string; identityId: string }[]> {
    return this.#database.query(BY_PROVIDER, [connectionId, providerSessionId]);
  }

  /** Returns who acts in the session for its user, and until when; undefined for a session of the user's own. */
  async currentActor(sessionId: string): Promise<(SessionActor & { until: Date }) | undefined> {
    const [row] = await this.#database.query<ActorRow & { acting_until: Date }>(CURRENT_ACTOR, [sessionId]);
    return row && { ...toActor(row), until: row.acting_until };
  }

  /** Returns a page of active sessions, newest first. The total of those of a company is exact up to 1,000. */
  async listActive(filter: CheckedSessionFilter, page: PageRequest): Promise<Page<SessionEntry>> {
    const bound = filter.companyId === undefined ? MAX_EXACT_TOTAL : MAX_EXACT_OF_COMPANY;
    return this.#database.run(async (knex) => {
      // The page is cut before the join, so a deep offset reads session rows only.
      const wanted = newestPage(knex, activeSessions(knex, filter).select('s.*'), page, 's');
      const [rows, counted] = await Promise.all([
        knex
          .from(wanted.as('s'))
          .join('users as u', 'u.id', 's.user_id')
          .leftJoin('users as acting', 'acting.id', 's.acting_user_id')
          .select<(SessionEntryRow & RowPosition)[]>(...ENTRY_COLUMNS, 's.microseconds')
          .orderBy([
            { column: 's.created_at', order: 'desc' },
            { column: 's.id', order: 'desc' },
          ]),
        countBounded(knex, activeSessions(knex, filter), bound),
      ]);
      return mapPage(placedPageOf(rows, counted, { ...page, bound }, cursorOf), toSessionEntry);
    });
  }

  /** Returns the ids of users with an active session, in order, starting after the id `after`. */
  async usersWithSessions(after: string | undefined, limit: number): Promise<string[]> {
    return this.#database.run(async (knex) => {
      const query = activeSessions(knex, {}).distinct('s.user_id').orderBy('s.user_id').limit(limit);
      if (after !== undefined) void query.where('s.user_id', '>', after);
      return (await query.select<{ user_id: string }[]>('s.user_id')).map((row) => row.user_id);
    });
  }

  /** Returns the sessions whose id starts with the prefix, live or not, at most `limit`: active ones first, then the newest. */
  async findByPrefix(prefix: string, limit: number): Promise<SessionDetails[]> {
    const ids = idRangeOf(prefix);
    if (!ids) return [];
    const rows = await this.#database.run((knex) =>
      knex('sessions as s')
        .join('users as u', 'u.id', 's.user_id')
        .leftJoin('users as acting', 'acting.id', 's.acting_user_id')
        .whereBetween('s.id', [ids.first, ids.last])
        .orderByRaw(`s.is_revoked OR ${IS_EXPIRED}, s.created_at DESC, s.id DESC`)
        .limit(limit)
        .select<DetailsRow[]>(
          ...ENTRY_COLUMNS,
          ...DETAILS_COLUMNS,
          knex.raw(`${IS_EXPIRED} AS is_expired, ${sessionLevel('s')} AS acr`),
        ),
    );
    return rows.map(toDetails);
  }
}

function activeSessions(knex: Knex, filter: CheckedSessionFilter): Knex.QueryBuilder {
  const { id, userId, companyId, search, ipAddress } = filter;
  const query = knex('sessions as s').where('s.is_revoked', false).whereRaw('s.expires_at > now()');
  if (id !== undefined) void query.where('s.id', id);
  if (userId !== undefined) void query.where('s.user_id', userId);
  if (companyId !== undefined) {
    const members = knex('company_memberships').where({ company_id: companyId, is_active: true });
    void query.whereIn('s.user_id', members.select('user_id'));
  }
  if (search !== undefined) {
    const found = knex('users').whereNull('erased_at').select('id');
    applyUserSearch(found, search);
    void query.whereIn('s.user_id', found);
  }
  if (ipAddress !== undefined) whereInNetwork(query, 's.ip_address', ipAddress);
  return query;
}

function toSessionEntry(row: SessionEntryRow): SessionEntry {
  return {
    id: row.id,
    userId: row.user_id,
    email: row.email,
    globalRole: row.global_role,
    approvalStatus: row.approval_status,
    ...(row.profile_picture_url !== null && { profilePictureUrl: row.profile_picture_url }),
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    deviceName: row.device_name,
    amr: row.amr,
    origin: readAs(SESSION_ORIGINS, row.origin),
    parentSessionId: row.parent_session_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    ...(row.acting_sub !== null && { actor: toActor(row) }),
  };
}

const toActor = (row: ActorRow): SessionActor => ({
  userId: row.acting_user_id,
  name: row.acting_name ?? row.acting_full_name,
  reason: row.acting_reason,
});

const toDetails = (row: DetailsRow): SessionDetails => ({
  ...toSessionEntry(row),
  amr: row.amr,
  acr: row.acr,
  authTime: row.auth_time,
  state: row.is_revoked ? 'revoked' : row.is_expired ? 'expired' : 'active',
  revokedAt: row.revoked_at,
  revokeReason: row.revoke_reason === null ? null : readAs(REVOKE_REASONS, row.revoke_reason),
});
