import type { Knex } from 'knex';
import { idRangeOf } from '../kernel/id-prefix.js';
import { mapPage, placedPageOf, type Page, type PageRequest } from '../kernel/page.js';
import { cursorOf, type RowPosition } from '../kernel/row-position.js';
import { countBounded } from '../storage/bounded-count.js';
import type { Database } from '../storage/database.js';
import { newestPage } from '../storage/newest-page.js';
import { INVITATION_COLUMNS, toInvitation, type InvitationRow } from './invitation-row.js';
import type { InvitationFilter } from './invitation-schema.js';
import type { InvitationStatus } from './invitation-status.js';
import type { Invitation } from './invitation.js';

/** Reads invitations across companies. */
export class InvitationQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a page of invitations, newest first. */
  async list(filter: InvitationFilter, page: PageRequest): Promise<Page<Invitation>> {
    return this.#database.run(async (knex) => {
      const matching = applyFilter(knex('invitations'), filter);
      const [rows, counted] = await Promise.all([
        newestPage(
          knex,
          matching.clone().select<(InvitationRow & RowPosition)[]>(knex.raw(INVITATION_COLUMNS)),
          page,
          'invitations',
        ),
        countBounded(knex, matching),
      ]);
      return mapPage(placedPageOf(rows, counted, page, cursorOf), toInvitation);
    });
  }

  /** Returns the invitations whose id starts with the prefix, at most `limit`, newest first. */
  async findByPrefix(prefix: string, limit: number): Promise<Invitation[]> {
    const ids = idRangeOf(prefix);
    if (!ids) return [];
    const rows = await this.#database.run((knex) =>
      newestFirst(knex('invitations').whereBetween('id', [ids.first, ids.last]))
        .limit(limit)
        .select<InvitationRow[]>(knex.raw(INVITATION_COLUMNS)),
    );
    return rows.map(toInvitation);
  }
}

const newestFirst = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query.orderBy([
    { column: 'created_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ]);

/** The statuses of `INVITATION_STATUS`, in a form that indexes serve. */
const CONDITIONS: Record<InvitationStatus, string> = {
  PENDING: `status = 'PENDING' AND expires_at > now()`,
  ACCEPTED: `status = 'ACCEPTED'`,
  CANCELLED: `status = 'CANCELLED'`,
  EXPIRED: `(status = 'EXPIRED' OR (status = 'PENDING' AND expires_at <= now()))`,
};

function applyFilter(query: Knex.QueryBuilder, { companyId, email, status }: InvitationFilter) {
  if (companyId !== undefined) void query.where('company_id', companyId);
  if (email !== undefined) void query.where('email', email);
  if (status !== undefined) void query.whereRaw(CONDITIONS[status]);
  return query;
}
