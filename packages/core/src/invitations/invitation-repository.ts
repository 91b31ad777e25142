import { newId } from '../kernel/id.js';
import { lookahead, pageOf, type Page, type PageRequest } from '../kernel/page.js';
import { boundedCount } from '../storage/bounded-count.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';
import { INVITATION_COLUMNS as COLUMNS, toInvitation, type InvitationRow } from './invitation-row.js';
import type { Invitation, Offer } from './invitation.js';

export interface NewInvitation extends Offer {
  companyId: string;
  email: string;
  invitedByUserId: string;
  metadata: Record<string, unknown> | undefined;
  locale: string | undefined;
  /** Seconds. */
  lifetime: number;
}

/** Lifetime of a token. */
interface TokenTime {
  /** Seconds. */
  lifetime: number;
  expiresAt: Date;
}

const FIND = statement('invitation_find', `SELECT ${COLUMNS} FROM invitations WHERE id = $1`);
const FIND_BY_TOKEN = statement(
  'invitation_find_by_token',
  `SELECT ${COLUMNS} FROM invitations WHERE token_digest = $1`,
);
const LOCK = statement('invitation_lock', `SELECT ${COLUMNS} FROM invitations WHERE id = $1 FOR UPDATE`);
const LOCK_BY_TOKEN = statement(
  'invitation_lock_by_token',
  `SELECT ${COLUMNS} FROM invitations WHERE token_digest = $1 FOR UPDATE`,
);
const LIST = statement(
  'invitation_list',
  `SELECT ${COLUMNS} FROM invitations WHERE company_id = $1
   ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
);
const COUNT = statement('invitation_count', boundedCount('FROM invitations WHERE company_id = $1'));

const CLOSE_EXPIRED = statement(
  'invitation_make_room',
  `UPDATE invitations SET status = 'EXPIRED', updated_at = now()
   WHERE company_id = $1 AND email = $2 AND status = 'PENDING' AND expires_at <= now()`,
);

const IS_MEMBER = `SELECT 1 FROM users u JOIN company_memberships m ON m.user_id = u.id
   WHERE u.email = $3 AND m.company_id = $2 AND m.is_active`;

const INSERT = statement(
  'invitation_insert',
  `INSERT INTO invitations (id, company_id, email, role, invited_by_user_id, module_grants, permission_grants,
     delegation, metadata, expires_at, last_sent_at, locale)
   SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::uuid, $6::text[], $7::text[], $8::jsonb, $9::jsonb,
     now() + make_interval(secs => $10::double precision), now(), $11::text
   WHERE NOT EXISTS (${IS_MEMBER})
   ON CONFLICT (company_id, email) WHERE status = 'PENDING' DO NOTHING
   RETURNING ${COLUMNS}`,
);

/** The resends of the last hour. */
const RESENT_LATELY = `ARRAY(SELECT sent FROM unnest(resent_at) AS sent
       WHERE sent > now() - interval '1 hour' ORDER BY sent DESC)`;

const RENEW = statement(
  'invitation_renew',
  `UPDATE invitations SET status = 'PENDING', token_digest = NULL, last_sent_at = now(), updated_at = now(),
     expires_at = now() + make_interval(secs => $4::double precision),
     resent_at = array_append(${RESENT_LATELY}, now())
   WHERE id = $1 AND NOT EXISTS (${IS_MEMBER})
     AND NOT EXISTS (SELECT 1 FROM invitations o
                     WHERE o.company_id = $2 AND o.email = $3 AND o.status = 'PENDING' AND o.id <> $1)
   RETURNING ${COLUMNS}`,
);

const RESEND_WAIT = statement(
  'invitation_resend_wait',
  `SELECT extract(epoch FROM (${RESENT_LATELY})[$2] + interval '1 hour' - now())::double precision AS seconds
   FROM invitations WHERE id = $1`,
);

const CREATE_WAIT = statement(
  'invitation_create_wait',
  `SELECT extract(epoch FROM created_at + interval '1 day' - now())::double precision AS seconds
   FROM invitations WHERE invited_by_user_id = $1 AND created_at > now() - interval '1 day'
   ORDER BY created_at DESC OFFSET $2::int - 1 LIMIT 1`,
);

const LOCK_OPEN_OF = statement(
  'invitation_lock_open_of',
  `SELECT ${COLUMNS} FROM invitations
   WHERE invited_by_user_id = $1 AND status = 'PENDING' AND expires_at > now() ORDER BY id FOR UPDATE`,
);

/** `$1` a company, or null for those without a definition of the role `$2`. */
const OFFERS_ROLE = `i.role = $2 AND i.status = 'PENDING' AND i.expires_at > now()
     AND CASE WHEN $1::uuid IS NULL
       THEN NOT EXISTS (SELECT FROM company_roles r WHERE r.company_id = i.company_id AND r.key = i.role)
       ELSE i.company_id = $1 END`;

const LOCK_OPEN_WITH_ROLE = statement(
  'invitation_lock_open_with_role',
  `SELECT ${COLUMNS} FROM invitations i WHERE ${OFFERS_ROLE} ORDER BY id FOR UPDATE`,
);

const LOCK_OPEN_OF_ROLES = statement(
  'invitation_lock_open_of_roles',
  `SELECT ${COLUMNS} FROM invitations i
   WHERE status = 'PENDING' AND expires_at > now() AND ($1::uuid IS NULL OR company_id = $1)
     AND invited_by_user_id IS NOT NULL
     AND (role = ANY($2::text[]) OR EXISTS (SELECT FROM company_memberships m
       WHERE m.user_id = i.invited_by_user_id AND m.company_id = i.company_id AND m.role = ANY($2::text[])))
   ORDER BY id FOR UPDATE`,
);

const OFFER_ROLE = statement(
  'invitation_offer_role',
  'UPDATE invitations SET role = $2, updated_at = now() WHERE id = ANY($1::uuid[])',
);

const CANCEL_ALL = statement(
  'invitation_cancel_all',
  `UPDATE invitations SET status = 'CANCELLED', cancelled_at = now(), updated_at = now() WHERE id = ANY($1::uuid[])`,
);

const CANCEL = statement(
  'invitation_cancel',
  `UPDATE invitations SET status = 'CANCELLED', cancelled_at = now(), updated_at = now()
   WHERE id = $1 RETURNING ${COLUMNS}`,
);

const ACCEPT = statement(
  'invitation_accept',
  `UPDATE invitations SET status = 'ACCEPTED', accepted_at = now(), accepted_by_user_id = $2, updated_at = now()
   WHERE id = $1 RETURNING ${COLUMNS}`,
);

const ADDRESSES_OF_ACCEPTER = statement(
  'invitation_addresses_of_accepter',
  'SELECT DISTINCT email FROM invitations WHERE accepted_by_user_id = $1',
);

const REMOVE_TO = statement(
  'invitation_remove_to',
  `DELETE FROM invitations WHERE id = ANY(ARRAY(
     SELECT id FROM invitations WHERE email = ANY($2::text[])
     UNION ALL
     SELECT id FROM invitations WHERE accepted_by_user_id = $1))
   RETURNING company_id AS "companyId"`,
);

// Each of them, so that a resend in progress commits its mail first.
const FORGET_INVITER = statement(
  'invitation_forget_inviter',
  'UPDATE invitations SET metadata = NULL WHERE invited_by_user_id = $1 RETURNING id, email',
);

const SET_TOKEN = statement(
  'invitation_set_token',
  `UPDATE invitations SET token_digest = $2, last_sent_at = now()
   WHERE id = $1 AND status = 'PENDING' AND expires_at > now()
   RETURNING extract(epoch FROM expires_at - now())::double precision AS lifetime, expires_at AS "expiresAt"`,
);

const INVITER_NAME = statement(
  'invitation_inviter_name',
  `SELECT u.full_name AS name FROM invitations i JOIN users u ON u.id = i.invited_by_user_id WHERE i.id = $1`,
);

/**
 * Stores invitations. Changes of one go through its locked row; the unique index on the open ones decides
 * between simultaneous invitations of one email to one company.
 */
export class InvitationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(id: string, trx?: Transaction): Promise<Invitation | undefined> {
    return this.#one(await this.#database.query<InvitationRow>(FIND, [id], trx));
  }

  async findByToken(tokenDigest: Buffer): Promise<Invitation | undefined> {
    return this.#one(await this.#database.query<InvitationRow>(FIND_BY_TOKEN, [tokenDigest]));
  }

  /** Locks an invitation until the transaction ends and returns its current state. */
  async lock(id: string, trx: Transaction): Promise<Invitation | undefined> {
    return this.#one(await this.#database.query<InvitationRow>(LOCK, [id], trx));
  }

  /** Locks the invitation of a token; finds nothing if the token was replaced meanwhile. */
  async lockByToken(tokenDigest: Buffer, trx: Transaction): Promise<Invitation | undefined> {
    return this.#one(await this.#database.query<InvitationRow>(LOCK_BY_TOKEN, [tokenDigest], trx));
  }

  /** Returns a page of a company's invitations, newest first. */
  async list(companyId: string, page: PageRequest): Promise<Page<Invitation>> {
    const [rows, [counted]] = await Promise.all([
      this.#database.query<InvitationRow>(LIST, [companyId, lookahead(page), page.offset]),
      this.#database.query<{ total: string }>(COUNT, [companyId]),
    ]);
    return pageOf(rows.map(toInvitation), toCount(counted?.total), page);
  }

  /**
   * Inserts an invitation; an expired one for the same email and company is closed.
   * @returns undefined when one is open already, or the email is an active member's.
   */
  async insert(invitation: NewInvitation, trx: Transaction): Promise<Invitation | undefined> {
    const { companyId, email, metadata } = invitation;
    await this.#database.query(CLOSE_EXPIRED, [companyId, email], trx);
    const values = [
      newId(),
      companyId,
      email,
      invitation.role,
      invitation.invitedByUserId,
      invitation.moduleGrants,
      invitation.permissionGrants,
      JSON.stringify(invitation.delegation),
      metadata === undefined ? null : JSON.stringify(metadata),
      invitation.lifetime,
      invitation.locale,
    ];
    return this.#one(await this.#database.query<InvitationRow>(INSERT, values, trx));
  }

  /**
   * Reopens a locked invitation: the previous token stops working, the lifetime starts again.
   * @returns undefined when a newer one is open, or the email is an active member's.
   */
  async renew(
    { id, companyId, email }: Invitation,
    lifetime: number,
    trx: Transaction,
  ): Promise<Invitation | undefined> {
    const values = [id, companyId, email, lifetime];
    return this.#one(await this.#database.query<InvitationRow>(RENEW, values, trx));
  }

  /**
   * Returns the wait before a locked invitation can be sent again, if the limit of resends within the last
   * hour is reached.
   * @returns seconds; undefined when it can be sent now.
   */
  async resendWait(id: string, hourlyLimit: number, trx: Transaction): Promise<number | undefined> {
    return this.#wait(await this.#database.query<Wait>(RESEND_WAIT, [id, hourlyLimit], trx));
  }

  /**
   * Returns the wait before a user can create another invitation, if the limit within the last day is
   * reached. The transaction holds the user's row, so that simultaneous creations count each other.
   * @returns seconds; undefined when it can be created now.
   */
  async createWait(userId: string, dailyLimit: number, trx: Transaction): Promise<number | undefined> {
    return this.#wait(await this.#database.query<Wait>(CREATE_WAIT, [userId, dailyLimit], trx));
  }

  /**
   * Returns the open invitations of an inviter, locked until the transaction ends, always in the same order.
   */
  async lockOpenOf(userId: string, trx: Transaction): Promise<Invitation[]> {
    return (await this.#database.query<InvitationRow>(LOCK_OPEN_OF, [userId], trx)).map(toInvitation);
  }

  /**
   * Returns the open invitations that offer a role, locked until the transaction ends.
   * @param companyId null for every company without a definition of its own.
   */
  async lockOpenWithRole(companyId: string | null, key: string, trx: Transaction): Promise<Invitation[]> {
    const rows = await this.#database.query<InvitationRow>(LOCK_OPEN_WITH_ROLE, [companyId, key], trx);
    return rows.map(toInvitation);
  }

  /** Returns the open invitations of users that offer one of these roles, or whose inviter has one, locked. */
  async lockOpenOfRoles(
    companyId: string | null,
    keys: readonly string[],
    trx: Transaction,
  ): Promise<Invitation[]> {
    const rows = await this.#database.query<InvitationRow>(LOCK_OPEN_OF_ROLES, [companyId, keys], trx);
    return rows.map(toInvitation);
  }

  /** Makes locked invitations offer another role. */
  async offerRole(ids: readonly string[], role: string, trx: Transaction): Promise<void> {
    await this.#database.query(OFFER_ROLE, [ids, role], trx);
  }

  /** Cancels locked invitations. */
  async cancelAll(ids: readonly string[], trx: Transaction): Promise<void> {
    await this.#database.query(CANCEL_ALL, [ids], trx);
  }

  /** Cancels a locked invitation. */
  async cancel(id: string, trx: Transaction): Promise<Invitation> {
    return locked(this.#one(await this.#database.query<InvitationRow>(CANCEL, [id], trx)));
  }

  /** Returns the addresses to which invitations were sent that this user has accepted. */
  async addressesOfAccepter(userId: string, trx: Transaction): Promise<string[]> {
    const rows = await this.#database.query<{ email: string }>(ADDRESSES_OF_ACCEPTER, [userId], trx);
    return rows.map(({ email }) => email);
  }

  /** Removes the invitations to these addresses, and those that the user has accepted. @returns the company of each. */
  async removeTo(userId: string, addresses: readonly string[], trx: Transaction): Promise<string[]> {
    const removed = await this.#database.query<{ companyId: string }>(REMOVE_TO, [userId, addresses], trx);
    return removed.map(({ companyId }) => companyId);
  }

  /** Removes the metadata from the invitations that the user has made: it may name them. @returns the invitations. */
  forgetInviter(userId: string, trx: Transaction): Promise<{ id: string; email: string }[]> {
    return this.#database.query(FORGET_INVITER, [userId], trx);
  }

  /** Closes a locked invitation as accepted by this user. */
  async accept(id: string, userId: string, trx: Transaction): Promise<Invitation> {
    return locked(this.#one(await this.#database.query<InvitationRow>(ACCEPT, [id, userId], trx)));
  }

  /** Returns the name of the user who invites, as they typed it; null when there is no such user, or no name. */
  async inviterName(id: string, trx?: Transaction): Promise<string | null> {
    const [row] = await this.#database.query<{ name: string | null }>(INVITER_NAME, [id], trx);
    return row?.name ?? null;
  }

  /**
   * Stores the digest of the token that is about to be sent.
   * @returns its lifetime; undefined when the invitation is closed.
   */
  async setToken(id: string, tokenDigest: Buffer): Promise<TokenTime | undefined> {
    const [row] = await this.#database.query<TokenTime>(SET_TOKEN, [id, tokenDigest]);
    return row;
  }

  #wait([row]: Wait[]): number | undefined {
    return row?.seconds ?? undefined;
  }

  #one([row]: InvitationRow[]): Invitation | undefined {
    return row && toInvitation(row);
  }
}

/** Null when no wait is needed. */
interface Wait {
  seconds: number | null;
}

/** Returns the row of a locked invitation, which must exist. */
function locked(invitation: Invitation | undefined): Invitation {
  if (!invitation) throw new TypeError('The invitation was not locked.');
  return invitation;
}
