import { definedRoleColumn, selectCompanyMemberships } from '../memberships/membership-repository.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import { DEFAULT_ROLE } from '../memberships/membership-write.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { toUser, userColumns, type UserRow } from '../users/user-row.js';
import { InvitationParties, inviterOf, type InviterRow } from './invitation-parties.js';
import type { Inviter } from './invitation.js';

const WITH_MEMBER_ROLE = {
  columns: `, ${definedRoleColumn('m.company_id', `'${DEFAULT_ROLE}'`)} AS member_role`,
  joins: '',
};
const ACTIVE = `${selectCompanyMemberships('company_memberships', WITH_MEMBER_ROLE)} WHERE m.user_id = ANY($1::uuid[]) AND m.is_active`;
const READ = statement('inviter_read', `${ACTIVE} AND m.company_id = $2`);
const READ_ALL = statement('inviter_read_all', ACTIVE);

/** Locks inviters and invitees for a change of an invitation. */
export class InviterRepository {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly users: UserRepository;
    readonly membershipWrites: MembershipWriteRepository;
  }) {
    this.#deps = deps;
  }

  /**
   * Locks users and their memberships of the company until the transaction ends: rights that were taken away
   * while the request was running no longer count. Grants are not locked, so they are read by a statement of
   * their own after the lock, to be no older.
   */
  async lock(
    companyId: string,
    userIds: readonly (string | null | undefined)[],
    trx: Transaction,
  ): Promise<InvitationParties> {
    const ids = userIds.filter((id) => typeof id === 'string');
    const users = await this.#deps.users.lock(ids, trx);
    const memberships = await this.#deps.membershipWrites.lock(companyId, ids, trx);
    const rows = await this.#deps.database.query<InviterRow>(READ, [ids, companyId], trx);
    return new InvitationParties(users, memberships, rows);
  }

  /** Returns a user as inviter of each company, from their locked row. */
  async everywhere(userId: string, trx: Transaction): Promise<(companyId: string) => Inviter | undefined> {
    const user = (await this.#deps.users.lock([userId], trx)).get(userId);
    const rows = await this.#deps.database.query<InviterRow>(READ_ALL, [[userId]], trx);
    return (companyId) =>
      user &&
      inviterOf(
        user,
        rows.find((row) => row.company_id === companyId),
      );
  }

  /**
   * Returns users as inviters of each company, without a lock: a transaction that takes rights from an inviter meanwhile looks at
   * their invitations itself.
   */
  async unlocked(
    userIds: readonly string[],
    trx: Transaction,
  ): Promise<(userId: string, companyId: string) => Inviter | undefined> {
    const users = await trx('users')
      .whereIn('id', [...userIds])
      .select<UserRow[]>(userColumns());
    const rows = await this.#deps.database.query<InviterRow>(READ_ALL, [userIds], trx);
    const userOf = new Map(users.map((row) => [row.id, toUser(row)]));
    const rowOf = new Map(rows.map((row) => [`${row.user_id} ${row.company_id}`, row]));
    return (userId, companyId) => {
      const user = userOf.get(userId);
      return user && inviterOf(user, rowOf.get(`${userId} ${companyId}`));
    };
  }
}
