import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { prefixOf } from '../kernel/id-prefix.js';
import { isUuid } from '../kernel/id.js';
import { checkGrowingPage, type GrowingPageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { MembershipRepository } from '../memberships/membership-repository.js';
import { toMembershipViews } from '../memberships/membership-schema.js';
import { canonicalEmail } from '../users/email.js';
import type { UserQueries } from '../users/user-queries.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  emailInput,
  toUserView,
  userFilter,
  type MachineUserView,
  type UserFilter,
} from '../users/user-schema.js';
import type { User } from '../users/user.js';
import type { UserContext } from './admin-schema.js';

export interface UserDirectoryDeps {
  readonly users: UserRepository;
  readonly userQueries: UserQueries;
  readonly memberships: MembershipRepository;
}

/** Reads users: lists, details, a user with all memberships. The caller of the route decides who may read. */
export class UserDirectory {
  readonly #deps: UserDirectoryDeps;

  constructor(deps: UserDirectoryDeps) {
    this.#deps = deps;
  }

  /** Returns a page of users, newest first, without erased ones. */
  async list(filter: UserFilter = {}, page: GrowingPageInput = {}): Promise<Page<MachineUserView>> {
    const wanted = checkInput(userFilter.strict(), filter, 'query');
    return mapPage(await this.#deps.userQueries.list(wanted, checkGrowingPage(page)), toUserView);
  }

  /** @throws AuthError `not_found` */
  async get(userId: string): Promise<MachineUserView> {
    return toUserView(await this.#find(checkId(userId)));
  }

  /** Returns a user by email in any spelling. @throws AuthError `validation_error`, `not_found` */
  async getByEmail(email: string): Promise<MachineUserView> {
    const user = await this.#deps.users.findByEmail(checkInput(emailInput, email, 'email'));
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    return toUserView(user);
  }

  /**
   * Returns the users of a text: an id, an email, or the prefix of either. A whole id or email matches only
   * its own user. At most `limit` users, by email.
   * @throws AuthError `validation_error` for fewer than 4 characters.
   */
  async findByPrefix(text: string, limit: number): Promise<MachineUserView[]> {
    return (await this.#findUsers(text, limit)).map(toUserView);
  }

  /** Returns emails by id, for lists that show users; erased users are absent. */
  async emailsOf(userIds: readonly string[]): Promise<Map<string, string>> {
    const ids = userIds.map((id) => checkId(id));
    return ids.length === 0 ? new Map<string, string>() : this.#deps.users.emailsOf(ids);
  }

  /** @throws AuthError `not_found` */
  async context(userId: string): Promise<UserContext> {
    userId = checkId(userId);
    const [user, memberships] = await Promise.all([
      this.#find(userId),
      this.#deps.memberships.ofUser(userId),
    ]);
    return { user: toUserView(user), ...toMembershipViews(memberships) };
  }

  async #findUsers(text: string, limit: number): Promise<User[]> {
    const prefix = prefixOf(text);
    const email = canonicalEmail(text);
    if (email === undefined && !isUuid(prefix)) return this.#deps.userQueries.findByPrefix(prefix, limit);
    const user = await (email === undefined
      ? this.#deps.users.findById(prefix)
      : this.#deps.users.findByEmail(email));
    return user ? [user] : [];
  }

  async #find(userId: string): Promise<User> {
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    return user;
  }
}
