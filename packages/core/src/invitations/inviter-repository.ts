import { AuthError } from '../kernel/auth-error.js';
import { selectCompanyMemberships } from '../memberships/membership-repository.js';
import { toCompanyMembership, type CompanyMembershipRow } from '../memberships/membership-row.js';
import { statement, type Database, type Transaction } from '../storage/database.js';
import { maySignIn } from '../users/user.js';
import type { UserRepository } from '../users/user-repository.js';
import type { Inviter } from './invitation.js';

const LOCK = statement(
  'inviter_lock',
  'SELECT id FROM company_memberships WHERE user_id = $1 AND company_id = $2 FOR SHARE',
);
const READ = statement(
  'inviter_read',
  `${selectCompanyMemberships('company_memberships')} WHERE m.user_id = $1 AND m.company_id = $2 AND m.is_active`,
);

/** Who invites, as they stand when the invitation is written. */
export class InviterRepository {
  readonly #database: Database;
  readonly #users: UserRepository;

  constructor(database: Database, users: UserRepository) {
    this.#database = database;
    this.#users = users;
  }

  /**
   * Holds the user and their place in the company until the transaction ends: rights that were taken away while the
   * request was on its way decide nothing any more. The place is read by a statement of its own, after the lock,
   * because what hangs off it is not locked and must not be older.
   * @throws AuthError `forbidden` when the user may no longer sign in.
   */
  async lock(userId: string, companyId: string, trx: Transaction): Promise<Inviter> {
    const user = (await this.#users.lock([userId], trx)).get(userId);
    if (!user || !maySignIn(user)) throw AuthError.forbidden();
    await this.#database.query(LOCK, [userId, companyId], trx);
    const [row] = await this.#database.query<CompanyMembershipRow>(READ, [userId, companyId], trx);
    return { globalRole: user.globalRole, membership: row && toCompanyMembership(row) };
  }
}
