import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Database, Transaction } from '../storage/database.js';
import type { RevokeReason } from './session.js';
import type { RevocationMarkers } from './revocation-markers.js';
import type { SessionRepository } from './session-repository.js';

/** All sessions of a user that are to end, or all but one. */
export interface SessionsToEnd {
  userId: string;
  exceptSessionId?: string;
  reason: RevokeReason;
  event: AuditEventName;
  actor: Actor;
  client: ClientInfo;
  /** What the audit row says beside the reason and the number of sessions. */
  details?: Record<string, unknown>;
}

/** Ends many sessions of a user at once: rows and audit in one transaction, markers after its commit. */
export class SessionEnder {
  readonly #database: Database;
  readonly #sessions: SessionRepository;
  readonly #markers: RevocationMarkers;
  readonly #audit: AuditRepository;

  constructor(parts: {
    database: Database;
    sessions: SessionRepository;
    markers: RevocationMarkers;
    audit: AuditRepository;
  }) {
    this.#database = parts.database;
    this.#sessions = parts.sessions;
    this.#markers = parts.markers;
    this.#audit = parts.audit;
  }

  /** @returns how many active sessions it ended. */
  async endAll(target: SessionsToEnd): Promise<number> {
    const ended = await this.#database.transaction((trx) => this.endAllWithin(target, trx));
    await this.#markers.mark(ended);
    return ended.length;
  }

  /** The part that belongs into the transaction of a larger change; `markEnded` follows after its commit. */
  async endAllWithin(target: SessionsToEnd, trx: Transaction): Promise<string[]> {
    const { userId, exceptSessionId, reason, event, actor, client, details } = target;
    const except = exceptSessionId === undefined ? {} : { exceptSessionId };
    const ended = await this.#sessions.revokeAllOf(userId, reason, except, trx);
    await this.#audit.insert(
      {
        event,
        outcome: 'success',
        actor,
        subjectUserId: userId,
        client,
        details: { ...details, reason, revoked: ended.length },
      },
      trx,
    );
    return ended;
  }

  /**
   * The sessions that go on after a change of their user, whose access tokens and hints are outdated by it. Marked
   * after the commit like ended ones, they make every guard ask the database.
   */
  outdatedWithin(userId: string, trx: Transaction): Promise<string[]> {
    return this.#sessions.liveIdsOf(userId, trx);
  }

  async markEnded(sessionIds: readonly string[]): Promise<void> {
    await this.#markers.mark(sessionIds);
  }
}
