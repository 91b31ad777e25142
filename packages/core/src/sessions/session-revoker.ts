import type { AuditEvent, AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Database, Transaction } from '../storage/database.js';
import type { RevocationMarkers } from './revocation-markers.js';
import type { SessionRepository } from './session-repository.js';
import type { RevokedSessions, SessionTreeRepository } from './session-tree-repository.js';
import type { RevokeReason } from './session.js';

interface Cause {
  reason: RevokeReason;
  event: AuditEventName;
  actor: Actor;
  client: ClientInfo;
  /** What the audit row says beside the reason and the number of sessions. */
  details?: Record<string, unknown>;
}

/** All sessions of a user that are to end, or all but one and those it was opened from. */
export interface SessionsToRevoke extends Cause {
  userId: string;
  exceptSessionId?: string;
}

/** One session that is to end, with all that were opened from it. */
export interface SessionToRevoke extends Cause {
  sessionId: string;
  /** Only if it is this user's. */
  userId?: string;
  /** Defaults to `success`. */
  outcome?: AuditEvent['outcome'];
}

interface SessionEnderDeps {
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly trees: SessionTreeRepository;
  readonly markers: RevocationMarkers;
  readonly audit: AuditRepository;
}

/**
 * Ends sessions: rows and audit in one transaction, markers after its commit. Whatever was opened from a session ends
 * with it.
 */
export class SessionRevoker {
  readonly #deps: SessionEnderDeps;

  constructor(deps: SessionEnderDeps) {
    this.#deps = deps;
  }

  /** @returns how many active sessions it ended. */
  async revokeAll(target: SessionsToRevoke): Promise<number> {
    const ended = await this.revokeAllUnmarked(target);
    await this.#deps.markers.mark(ended);
    return ended.length;
  }

  /**
   * The same without markers, for many users in a row; `markRevoked` follows.
   * @returns the ids of the active sessions that it ended.
   */
  revokeAllUnmarked(target: SessionsToRevoke): Promise<string[]> {
    return this.#deps.database.transaction((trx) => this.revokeAllWithin(target, trx));
  }

  /**
   * Ends the sessions of a user as part of the transaction of a larger change; `markRevoked` follows after its commit.
   * @returns the ids of the active sessions that it ended.
   */
  async revokeAllWithin(target: SessionsToRevoke, trx: Transaction): Promise<string[]> {
    const { userId, exceptSessionId, reason } = target;
    const except = exceptSessionId === undefined ? {} : { exceptSessionId };
    await this.#deps.trees.lockUser(userId, trx);
    const ended = await this.#deps.trees.revokeAllOf(userId, reason, except, trx);
    await this.#record(target, { subjectUserId: userId }, ended, trx);
    return ended.activeIds;
  }

  /**
   * Ends one session and its descendants as part of a transaction; `markRevoked` follows after its commit. It holds the
   * user's row first, so the transaction must not hold memberships or sessions yet.
   * @returns the ids of the active sessions that it ended; none when it was ended before.
   */
  async revokeOneWithin(target: SessionToRevoke, trx: Transaction): Promise<string[]> {
    const { sessionId, userId, reason } = target;
    const ownerId = await this.#deps.trees.lockOwner(sessionId, trx);
    if (ownerId === undefined || (userId !== undefined && userId !== ownerId)) return [];
    const ended = await this.#deps.trees.revokeTree(sessionId, reason, trx);
    if (ended.any) await this.#record(target, { subjectUserId: ownerId, sessionId }, ended, trx);
    return ended.activeIds;
  }

  /**
   * The sessions that go on after a change of their user, whose access tokens and hints are outdated by it. Marked
   * after the commit like ended ones, they make every guard ask the database.
   */
  outdatedWithin(userId: string, trx: Transaction): Promise<string[]> {
    return this.#deps.sessions.liveIdsOf(userId, trx);
  }

  async markRevoked(sessionIds: readonly string[]): Promise<void> {
    await this.#deps.markers.mark(sessionIds);
  }

  async #record(
    { reason, event, actor, client, details, outcome = 'success' }: Cause & Pick<SessionToRevoke, 'outcome'>,
    about: Pick<AuditEvent, 'subjectUserId' | 'sessionId'>,
    { activeIds }: RevokedSessions,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.audit.insert(
      { event, outcome, actor, ...about, client, details: { ...details, reason, revoked: activeIds.length } },
      trx,
    );
  }
}
