import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';
import type { EmailChangeRepository } from '../users/email-change-repository.js';
import type { SessionRevoker } from './session-revoker.js';

/** A second factor that is about to be added. */
interface AddedFactor {
  userId: string;
  /** The session that adds it, which goes on; undefined if the sign-in is not complete. */
  sessionId?: string;
  client: ClientInfo;
}

/**
 * Adds factors in a transaction that has locked the row of the user. The first one of a user may be a reaction to a stolen password:
 * it ends what was begun with the password alone, the sessions with one factor and a change of address that another one requested.
 */
export class FirstFactor {
  readonly #deps;

  constructor(deps: {
    readonly sessionRevoker: SessionRevoker;
    readonly emailChanges: EmailChangeRepository;
    /** Returns whether the user can prove a second factor of any kind. */
    readonly hasFactor: (userId: string, trx?: Transaction) => Promise<boolean>;
  }) {
    this.#deps = deps;
  }

  /**
   * Adds a factor, and ends the other sessions if it is the first.
   * @param add returns undefined if it added none.
   * @returns its result.
   */
  async adding<T>(factor: AddedFactor, trx: Transaction, add: () => Promise<T>): Promise<T> {
    const isFirst = !(await this.#deps.hasFactor(factor.userId, trx));
    const added = await add();
    if (isFirst && added !== undefined) await this.#endOthers(factor, trx);
    return added;
  }

  async #endOthers({ userId, sessionId, client }: AddedFactor, trx: Transaction): Promise<void> {
    await this.#deps.emailChanges.endPending(userId, trx, sessionId);
    await this.#deps.sessionRevoker.revokeOneFactorWithin(
      {
        userId,
        ...(sessionId !== undefined && { exceptSessionId: sessionId }),
        reason: 'factor_added',
        event: 'session_revoked',
        actor: { kind: 'user', userId },
        client,
      },
      trx,
    );
  }
}
