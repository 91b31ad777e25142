import { newId } from '../kernel/id.js';
import type { Database, Transaction } from '../storage/database.js';

/** A change that its link can confirm. */
export interface UsableEmailChange {
  id: string;
  userId: string;
  /** The session that requested the change. */
  sessionId: string;
  newEmail: string;
}

/** A confirmed change that its link can undo. */
export interface UndoableEmailChange {
  id: string;
  userId: string;
  oldEmail: string;
  /** The time at which it was requested. */
  requestedAt: Date;
}

/** A change that was removed. */
export interface RemovedEmailChange {
  id: string;
  /** The requested address; the user's only if the change was confirmed. */
  newEmail: string;
  /** The address before a confirmed change; null for any other. */
  oldEmail: string | null;
}

interface UsableRow {
  id: string;
  user_id: string;
  session_id: string;
  new_email: string;
}

interface UndoableRow {
  id: string;
  user_id: string;
  old_email: string;
  created_at: Date;
}

const HOUR = "interval '1 hour'";
const IN_SECONDS = 'now() + make_interval(secs => ?::double precision)';

/**
 * Stores changes of email addresses. Decisions on them are made under the lock of their user's row, which the callers
 * hold; every write repeats its condition. `UserRepository` reads which addresses are reserved.
 */
export class EmailChangeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the seconds until the user may request one more change; undefined if they may now. */
  async requestWait(userId: string, perHour: number, trx: Transaction): Promise<number | undefined> {
    const [row] = await trx('email_changes')
      .where({ user_id: userId })
      .whereRaw(`created_at > now() - ${HOUR}`)
      .orderBy('created_at', 'desc')
      .offset(perHour - 1)
      .limit(1)
      .select<{ wait: number }[]>(
        trx.raw(`extract(epoch FROM created_at + ${HOUR} - now())::float8 AS wait`),
      );
    return row?.wait;
  }

  /** Inserts a change; it has no secret until its mail is sent. @returns its id. */
  async insert(
    change: Pick<UsableEmailChange, 'userId' | 'sessionId' | 'newEmail'>,
    trx: Transaction,
  ): Promise<string> {
    const id = newId();
    const { userId, sessionId, newEmail } = change;
    await trx('email_changes').insert({ id, user_id: userId, session_id: sessionId, new_email: newEmail });
    return id;
  }

  /** Returns the user of a change, whatever its state. */
  async ownerOf(id: string): Promise<string | undefined> {
    const [row] = await this.#database.run((knex) =>
      knex('email_changes').where({ id }).select<{ user_id: string }[]>('user_id'),
    );
    return row?.user_id;
  }

  /** Stores the secret of the link to the new address. @returns false when the change is not pending any more. */
  async issue(id: string, token: { digest: Buffer; lifetime: number }, trx: Transaction): Promise<boolean> {
    const issued = await trx('email_changes')
      .where({ id, ended_at: null, confirmed_at: null })
      .update({ token_digest: token.digest, expires_at: trx.raw(IN_SECONDS, [token.lifetime]) });
    return issued > 0;
  }

  /** Returns the pending change of this digest, unless it has ended or expired. */
  async findUsable(tokenDigest: Buffer): Promise<UsableEmailChange | undefined> {
    const [row] = await this.#database.run((knex) =>
      knex('email_changes')
        .where({ token_digest: tokenDigest, ended_at: null, confirmed_at: null })
        .whereRaw('expires_at > now()')
        .select<UsableRow[]>('id', 'user_id', 'session_id', 'new_email'),
    );
    return row && { id: row.id, userId: row.user_id, sessionId: row.session_id, newEmail: row.new_email };
  }

  /**
   * Spends the link to the new address, and reserves the old one.
   * @param undo `lifetime` in seconds.
   * @returns false when the change is not usable any more; the caller then rolls back.
   */
  async confirm(
    id: string,
    tokenDigest: Buffer,
    undo: { oldEmail: string; lifetime: number },
    trx: Transaction,
  ): Promise<boolean> {
    const confirmed = await trx('email_changes')
      .where({ id, token_digest: tokenDigest, ended_at: null, confirmed_at: null })
      .whereRaw('expires_at > now()')
      .update({
        confirmed_at: trx.raw('now()'),
        old_email: undo.oldEmail,
        undo_expires_at: trx.raw(IN_SECONDS, [undo.lifetime]),
      });
    return confirmed > 0;
  }

  /** Ends the links of the user that would restore an address they have again. */
  async endUndosTo(email: string, userId: string, trx: Transaction): Promise<void> {
    await trx('email_changes')
      .where({ user_id: userId, old_email: email, undo_ended_at: null })
      .update({ undo_ended_at: trx.raw('now()') });
  }

  /**
   * Stores the secret of the link to the old address.
   * @returns the seconds that it is valid; undefined when the change can no longer be undone.
   */
  async issueUndo(id: string, undoDigest: Buffer, trx: Transaction): Promise<number | undefined> {
    const [row] = await trx('email_changes')
      .where({ id, undo_ended_at: null })
      .whereRaw('undo_expires_at > now()')
      .update({ undo_digest: undoDigest })
      .returning<{ left: number }[]>(
        trx.raw('extract(epoch FROM undo_expires_at - now())::float8 AS left') as unknown as string,
      );
    return row && Math.floor(row.left);
  }

  /** Returns the change that a link of this digest undoes, unless it was used, has ended or expired. */
  async findUndoable(undoDigest: Buffer): Promise<UndoableEmailChange | undefined> {
    const [row] = await this.#database.run((knex) =>
      knex('email_changes')
        .where({ undo_digest: undoDigest, undo_ended_at: null })
        .whereRaw('undo_expires_at > now()')
        .select<UndoableRow[]>('id', 'user_id', 'old_email', 'created_at'),
    );
    return row && { id: row.id, userId: row.user_id, oldEmail: row.old_email, requestedAt: row.created_at };
  }

  /**
   * Spends the link to an old address, and ends the links of all later changes: they were mailed to addresses that the
   * account had because of this one.
   * @returns false when the link is not usable any more; the caller then rolls back.
   */
  async undo({ id, userId }: UndoableEmailChange, undoDigest: Buffer, trx: Transaction): Promise<boolean> {
    const spent = await trx('email_changes')
      .where({ id, undo_digest: undoDigest, undo_ended_at: null })
      .whereRaw('undo_expires_at > now()')
      .update({ undo_ended_at: trx.raw('now()') });
    if (spent === 0) return false;
    await trx('email_changes')
      .where({ user_id: userId, undo_ended_at: null })
      .whereRaw('confirmed_at >= (SELECT confirmed_at FROM email_changes WHERE id = ?)', [id])
      .update({ undo_ended_at: trx.raw('now()') });
    return true;
  }

  /** Removes every change of a user, with the reservations of their former addresses. @returns the removed ones. */
  async removeAll(userId: string, trx: Transaction): Promise<RemovedEmailChange[]> {
    const rows = await trx('email_changes')
      .where({ user_id: userId })
      .delete()
      .returning<{ id: string; new_email: string; old_email: string | null }[]>([
        'id',
        'new_email',
        'old_email',
      ]);
    return rows.map((row) => ({ id: row.id, newEmail: row.new_email, oldEmail: row.old_email }));
  }

  /** Ends the pending change of a user, sent or not yet sent, unless this session has requested it. */
  async endPending(userId: string, trx: Transaction, exceptSessionId?: string): Promise<void> {
    const pending = trx('email_changes').where({ user_id: userId, ended_at: null, confirmed_at: null });
    if (exceptSessionId !== undefined) void pending.whereNot('session_id', exceptSessionId);
    await pending.update({ ended_at: trx.raw('now()') });
  }

  /** Ends the pending change of a user and every link that undoes an earlier one, with the reservations. */
  async endAll(userId: string, trx: Transaction): Promise<void> {
    await this.endPending(userId, trx);
    await trx('email_changes')
      .where({ user_id: userId, undo_ended_at: null })
      .whereNotNull('confirmed_at')
      .update({ undo_ended_at: trx.raw('now()') });
  }
}
