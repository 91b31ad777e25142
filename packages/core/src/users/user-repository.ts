import { AuthError } from '../kernel/auth-error.js';
import { newId } from '../kernel/id.js';
import { violatedConstraint } from '../storage/database-error.js';
import type { Database, Transaction } from '../storage/database.js';
import { erasedEmailOf } from './email.js';
import { columnsOfProfile, type ProfileField } from './profile-fields.js';
import { CHANGEABLE_COLUMNS, USER } from './user-repository.sql.js';
import { toUser, userColumns, type UserRow } from './user-row.js';
import type { User } from './user.js';

/** A user with their password hash: only this type contains it. */
/** Numbers of accounts that wait for their erasure: `overdue` ones have been due for more than a day. */
export interface DeletionCounts {
  pending: number;
  overdue: number;
}

export interface UserWithPassword {
  user: User;
  passwordHash: string | null;
}

export type NewUser = Pick<
  User,
  'email' | 'authProvider' | 'globalRole' | 'approvalStatus' | 'isActive' | 'legacyIds'
> &
  Pick<UserChanges, 'fullName' | ProfileField> & {
    passwordHash: string | null;
    /** True if the creator vouches for the mailbox: staff, machines, operators and accepted invitations do. */
    isEmailVerified: boolean;
    /** Defaults to a new id. */
    id?: string;
  };

/** Fields that an update may set; `undefined` leaves one unchanged, an empty phone or picture clears it. */
type UserChanges = {
  [
    Field in
      | 'email'
      | 'fullName'
      | ProfileField
      | 'authProvider'
      | 'globalRole'
      | 'approvalStatus'
      | 'isActive'
  ]?: User[Field] | undefined;
};

/** Wrong codes in a row from which on the user is mailed, at most once a day. */
const NOTICED_FROM = 5;

/** Key of the lock that is held while the number of active superadmins may shrink. */
const SUPERADMIN_LOCK = 0x1a7c4001;

const ACTIVE_SUPERADMIN = {
  global_role: 'PLATFORM_SUPERADMIN',
  is_active: true,
  approval_status: 'APPROVED',
} as const;

type UserWithHashRow = UserRow & { password_hash: string | null };

export class UserRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a user and their password hash by canonical email. */
  async findForLogin(email: string): Promise<UserWithPassword | undefined> {
    return withPassword(await this.#database.query<UserWithHashRow>(USER.findForLogin, [email]));
  }

  async findWithPassword(id: string): Promise<UserWithPassword | undefined> {
    return withPassword(await this.#database.query<UserWithHashRow>(USER.findWithPassword, [id]));
  }

  async findById(id: string): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(USER.findById, [id]);
    return row && toUser(row);
  }

  /** Returns a user by canonical email. */
  async findByEmail(email: string, trx?: Transaction): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(USER.findByEmail, [email], trx);
    return row && toUser(row);
  }

  /** Returns emails by id; erased users are absent. */
  async emailsOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#database.query<{ id: string; email: string }>(USER.emails, [ids]);
    return new Map(rows.map(({ id, email }) => [id, email]));
  }

  /**
   * Adds a user; the unique index on the canonical email decides between simultaneous calls.
   * @throws AuthError `conflict` when the email is taken, or reserved for the user who had it.
   */
  async insert(user: NewUser, trx: Transaction): Promise<User> {
    const { id = newId(), passwordHash, legacyIds, isEmailVerified } = user;
    const columns = toColumns(user);
    const values = CHANGEABLE_COLUMNS.map((column) => columns[column]);
    const [row] = await this.#database.query<UserRow>(
      USER.insert,
      [id, passwordHash, JSON.stringify(legacyIds), isEmailVerified, ...values],
      trx,
    );
    if (!row) throw emailTaken();
    await this.#assertNotReserved(row, trx);
    return toUser(row);
  }

  /**
   * Throws if the address of a written row is reserved for another user. Runs after the write: a change that gives up the
   * address commits before this write can succeed, and a statement of its own sees its reservation.
   */
  async #assertNotReserved({ email, id }: Pick<UserRow, 'email' | 'id'>, trx: Transaction): Promise<void> {
    if ((await this.#database.query(USER.isReserved, [email, id], trx)).length > 0) throw emailTaken();
  }

  /**
   * Locks the rows of these users until the transaction ends, always in the same order, and returns them.
   * Decisions on them stay valid until then.
   */
  async lock(ids: readonly string[], trx: Transaction): Promise<Map<string, User>> {
    const rows = await trx('users')
      .whereIn('id', [...ids])
      .orderBy('id')
      .forUpdate()
      .select<UserRow[]>(userColumns());
    return new Map(rows.map((row) => [row.id, toUser(row)]));
  }

  /** Returns the oldest active superadmin. That there is none is certain only under `lockSuperadmins`. */
  async findSuperadmin(trx?: Transaction): Promise<User | undefined> {
    const [row] = await this.#database.run(
      (knex) =>
        knex('users')
          .where(ACTIVE_SUPERADMIN)
          .orderBy(['created_at', 'id'])
          .limit(1)
          .select<UserRow[]>(userColumns()),
      trx,
    );
    return row && toUser(row);
  }

  /**
   * Counts the other active superadmins. The number is certain only under `lockSuperadmins`, until the
   * transaction ends.
   */
  async countOtherSuperadmins(exceptId: string, trx: Transaction): Promise<number> {
    const [row] = await trx('users')
      .where(ACTIVE_SUPERADMIN)
      .whereNot({ id: exceptId })
      .count<{ total: string }[]>({ total: '*' });
    return Number(row?.total ?? 0);
  }

  /**
   * Serialises the changes that could remove a superadmin. Call it before any row lock, so that two such
   * changes do not deadlock.
   */
  async lockSuperadmins(trx: Transaction): Promise<void> {
    await trx.raw('SELECT pg_advisory_xact_lock(?)', [SUPERADMIN_LOCK]);
  }

  /**
   * Changes a user whose row the transaction has locked. A caller that sets a new email vouches for its
   * mailbox.
   * @throws AuthError `conflict` when the new email is taken, or reserved for another user who had it.
   */
  async update(
    id: string,
    changes: UserChanges,
    options: { raiseTokenVersion: boolean },
    trx: Transaction,
  ): Promise<User> {
    const [row] = await this.#write(id, changes, options, trx).catch((error: unknown) => {
      throw violatedConstraint(error) === 'users_email_key' ? emailTaken() : error;
    });
    if (!row) throw AuthError.notFound('The user', 'user_not_found');
    if (changes.email !== undefined) await this.#assertNotReserved(row, trx);
    return toUser(row);
  }

  async #write(
    id: string,
    changes: UserChanges,
    { raiseTokenVersion }: { raiseTokenVersion: boolean },
    trx: Transaction,
  ): Promise<UserRow[]> {
    return trx('users')
      .where({ id })
      .update({
        ...toColumns(changes),
        ...(changes.email !== undefined && { email_verified_at: provedByChange(changes.email, trx) }),
        updated_at: trx.raw('now()'),
        ...(raiseTokenVersion && { token_version: trx.raw('token_version + 1') }),
      })
      .returning<UserRow[]>(userColumns());
  }

  /**
   * Removes the password of a user whose row the transaction has locked: no sign-in by it succeeds until a reset, and resets that
   * were requested before get no link.
   * @returns whether there was one.
   */
  async voidPassword(id: string, trx: Transaction): Promise<boolean> {
    const having = await trx('users')
      .where({ id })
      .whereNotNull('password_hash')
      .select<{ id: string }[]>('id');
    await trx('users')
      .where({ id })
      .update({ password_hash: null, password_changed_at: trx.raw('now()'), updated_at: trx.raw('now()') });
    return having.length > 0;
  }

  /**
   * Records that the mailbox was proved; the time of the first proof stays.
   * @param byLinkAlone true if its owner did not show to know the password, or set one.
   * @returns whether the owner had not done both before: what was set up until now may be another person's.
   */
  async markEmailVerified(userId: string, trx: Transaction, byLinkAlone = false): Promise<boolean> {
    const proved = await trx('users')
      .where({ id: userId })
      .whereRaw('(email_verified_at IS NULL OR proved_by_link_alone)')
      .update({
        email_verified_at: trx.raw('coalesce(email_verified_at, now())'),
        proved_by_link_alone: byLinkAlone,
        updated_at: trx.raw('now()'),
      });
    return proved > 0;
  }

  /**
   * Raises the version of the user's factors, which locks the row: call it before anything of them is written. Sign-ins
   * that began before it create no session.
   */
  async raiseFactorVersion(id: string, trx: Transaction): Promise<void> {
    await trx('users')
      .where({ id })
      .update({ factor_version: trx.raw('factor_version + 1') });
  }

  /** Replaces a hash by another of the same password; does nothing if the password was changed meanwhile. */
  async replaceHash(id: string, oldHash: string, newHash: string): Promise<boolean> {
    return (await this.#database.query(USER.replaceHash, [id, oldHash, newHash])).length > 0;
  }

  /**
   * Sets a new password, only while the current hash is `replaces` if that is given. Raising the token
   * version invalidates every access token of the user.
   * @returns undefined when there is no such user, or the current hash is another one.
   */
  async setPassword(
    id: string,
    password: { passwordHash: string; replaces?: string | undefined; raiseTokenVersion: boolean },
    trx: Transaction,
  ): Promise<User | undefined> {
    const { passwordHash, replaces, raiseTokenVersion } = password;
    const [row] = await trx('users')
      .where({ id, ...(replaces !== undefined && { password_hash: replaces }) })
      .update({
        password_hash: passwordHash,
        password_changed_at: trx.raw('now()'),
        updated_at: trx.raw('now()'),
        ...(raiseTokenVersion && { token_version: trx.raw('token_version + 1') }),
      })
      .returning<UserRow[]>(userColumns());
    return row && toUser(row);
  }

  /** Returns the wrong codes since the last right one, of a user whose row the transaction has locked. */
  async wrongCodesOf(userId: string, trx: Transaction): Promise<number> {
    const [row] = await this.#database.query<{ wrong_codes: number }>(USER.wrongCodes, [userId], trx);
    return row?.wrong_codes ?? 0;
  }

  /** Counts one more wrong code. @returns their number, and whether a mail is due, which is then recorded as sent. */
  async countWrongCode(userId: string, trx: Transaction): Promise<{ count: number; isNoticed: boolean }> {
    const [row] = await this.#database.query<{ wrong_codes: number; is_noticed: boolean }>(
      USER.countWrongCode,
      [userId, NOTICED_FROM],
      trx,
    );
    return { count: row?.wrong_codes ?? 0, isNoticed: row?.is_noticed ?? false };
  }

  /** Starts counting wrong codes again at zero. */
  async clearWrongCodes(userId: string, trx: Transaction): Promise<void> {
    await this.#database.query(USER.clearWrongCodes, [userId], trx);
  }

  /**
   * Waits for requests that are writing a mail or an audit row about the user; later ones wait until this transaction ends, and
   * then see its result. The transaction must have locked the user's row.
   */
  async fenceErasure(userId: string, trx: Transaction): Promise<void> {
    await this.#database.query(USER.fenceErasure, [userId], trx);
  }

  /** Overwrites a row that the transaction has locked. @returns the tombstone; undefined if the row was one already. */
  async erase(userId: string, trx: Transaction): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(USER.erase, [userId, erasedEmailOf(userId)], trx);
    return row && toUser(row);
  }

  /**
   * Deactivates a user who is no member of staff, to be deleted in so many days, and invalidates the access tokens. The transaction has
   * locked the row.
   * @returns the time of the deletion; undefined if the user is inactive or staff.
   */
  async requestDeletion(userId: string, days: number, trx: Transaction): Promise<Date | undefined> {
    const [row] = await this.#database.query<{ delete_at: Date }>(USER.requestDeletion, [userId, days], trx);
    return row?.delete_at;
  }

  /** Makes a user active again whose deletion is pending: a trigger ends it. @returns whether one was pending. */
  async undoDeletion(userId: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(USER.undoDeletion, [userId], trx)).length > 0;
  }

  /** Returns users whose deletion is due, by id from the given one on. It decides nothing: `lockDueDeletion` does. */
  /** Returns the numbers of accounts whose users have deleted them; those of users who have become staff are pending. */
  async countDeletions(): Promise<DeletionCounts> {
    const [counts] = await this.#database.query<DeletionCounts>(USER.countDeletions, []);
    return counts ?? { pending: 0, overdue: 0 };
  }

  async findDueDeletions(afterId: string, limit: number): Promise<string[]> {
    const rows = await this.#database.query<{ id: string }>(USER.findDueDeletions, [afterId, limit]);
    return rows.map(({ id }) => id);
  }

  /**
   * Locks a user whose deletion is due until the transaction ends.
   * @returns undefined if it was undone, another transaction has locked the user, or the user was erased or has become staff.
   */
  async lockDueDeletion(userId: string, trx: Transaction): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(USER.lockDueDeletion, [userId], trx);
    return row && toUser(row);
  }

  /** Returns the addresses that no other user has now. */
  async withoutThoseOfOthers(emails: readonly string[], userId: string, trx: Transaction): Promise<string[]> {
    const rows = await this.#database.query<{ email: string }>(USER.emailsOfOthers, [emails, userId], trx);
    const ofOthers = new Set(rows.map(({ email }) => email));
    return [...new Set(emails)].filter((email) => !ofOthers.has(email));
  }
}

const emailTaken = (): AuthError =>
  AuthError.conflict('A user with this email already exists.', 'email_taken');

function withPassword(rows: UserWithHashRow[]): UserWithPassword | undefined {
  const [row] = rows;
  return row && { user: toUser(row), passwordHash: row.password_hash };
}

function toColumns(changes: UserChanges) {
  return {
    email: changes.email,
    full_name: changes.fullName,
    ...columnsOfProfile(changes),
    auth_provider: changes.authProvider,
    global_role: changes.globalRole,
    approval_status: changes.approvalStatus,
    is_active: changes.isActive,
  } satisfies Record<(typeof CHANGEABLE_COLUMNS)[number], unknown>;
}

/** Returns the time of the proof after a change of the address; an unchanged address keeps its time. */
const provedByChange = (email: string, trx: Transaction) =>
  trx.raw('CASE WHEN email = ? THEN email_verified_at ELSE now() END', [email]);
