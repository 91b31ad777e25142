import { AuthError } from '../kernel/auth-error.js';
import { newId } from '../kernel/id.js';
import { violatedConstraint } from '../storage/database-error.js';
import { idBatch, statement, type Database, type Transaction } from '../storage/database.js';
import { columnsOfProfile, type ProfileField } from './profile-fields.js';
import { toUser, userColumns, type UserRow } from './user-row.js';
import type { User } from './user.js';

/** A user with their password hash: only this type contains it. */
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

type Changeable =
  | 'email'
  | 'fullName'
  | ProfileField
  | 'authProvider'
  | 'globalRole'
  | 'approvalStatus'
  | 'isActive';

/** Fields that an update may set; `undefined` leaves one unchanged, an empty phone or picture clears it. */
export type UserChanges = { [Field in Changeable]?: User[Field] | undefined };

const FIND_FOR_LOGIN = statement(
  'user_for_login',
  `SELECT ${userColumns().join(', ')}, password_hash FROM users WHERE email = $1`,
);
const FIND_WITH_PASSWORD = statement(
  'user_with_password',
  `SELECT ${userColumns().join(', ')}, password_hash FROM users WHERE id = $1`,
);
const FIND_BY_ID = statement('user_by_id', `SELECT ${userColumns().join(', ')} FROM users WHERE id = $1`);
const FIND_BY_EMAIL = statement(
  'user_by_email',
  `SELECT ${userColumns().join(', ')} FROM users WHERE email = $1`,
);
const CHANGEABLE_COLUMNS = Object.keys(toColumns({})) as (keyof ReturnType<typeof toColumns>)[];
const INSERT = statement(
  'user_insert',
  `INSERT INTO users (id, password_hash, legacy_ids, email_verified_at, ${CHANGEABLE_COLUMNS.join(', ')})
   VALUES ($1, $2, $3, CASE WHEN $4::boolean THEN now() END, ${CHANGEABLE_COLUMNS.map((_, index) => `$${index + 5}`).join(', ')})
   ON CONFLICT (email) DO NOTHING
   RETURNING ${userColumns().join(', ')}`,
);
const REPLACE_HASH = statement(
  'user_replace_hash',
  'UPDATE users SET password_hash = $3, updated_at = now() WHERE id = $1 AND password_hash = $2 RETURNING id',
);

/** The former address of a user is theirs while its owner may undo the change. */
const RESERVED = statement(
  'user_email_reserved',
  `SELECT 1 AS found FROM email_changes
   WHERE old_email = $1 AND user_id <> $2 AND undo_ended_at IS NULL AND undo_expires_at > now() LIMIT 1`,
);
const EMAILS = statement(
  'user_emails',
  `SELECT id, email FROM users WHERE id = ANY(${idBatch('$1')}) AND erased_at IS NULL`,
);

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
    return withPassword(await this.#database.query<UserWithHashRow>(FIND_FOR_LOGIN, [email]));
  }

  async findWithPassword(id: string): Promise<UserWithPassword | undefined> {
    return withPassword(await this.#database.query<UserWithHashRow>(FIND_WITH_PASSWORD, [id]));
  }

  async findById(id: string): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(FIND_BY_ID, [id]);
    return row && toUser(row);
  }

  /** Returns a user by canonical email. */
  async findByEmail(email: string, trx?: Transaction): Promise<User | undefined> {
    const [row] = await this.#database.query<UserRow>(FIND_BY_EMAIL, [email], trx);
    return row && toUser(row);
  }

  /** Returns emails by id; erased users are absent. */
  async emailsOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#database.query<{ id: string; email: string }>(EMAILS, [ids]);
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
      INSERT,
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
    if ((await this.#database.query(RESERVED, [email, id], trx)).length > 0) throw emailTaken();
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

  /** Removes the password: no sign-in by it succeeds until a reset, and resets that were requested before get no link. */
  async voidPassword(id: string, trx: Transaction): Promise<void> {
    await trx('users')
      .where({ id })
      .update({ password_hash: null, password_changed_at: trx.raw('now()'), updated_at: trx.raw('now()') });
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
    return (await this.#database.query(REPLACE_HASH, [id, oldHash, newHash])).length > 0;
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
  };
}

/** Returns the time of the proof after a change of the address; an unchanged address keeps its time. */
const provedByChange = (email: string, trx: Transaction) =>
  trx.raw('CASE WHEN email = ? THEN email_verified_at ELSE now() END', [email]);
