import type { ApiKeyRevoker } from '../api-key-records/api-key-revoker.js';
import type { ApiKeyRevokeReason } from '../api-key-records/api-key.js';
import type { AuditEvent, AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Database, Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { EmailChangeRepository } from '../users/email-change-repository.js';
import { clientOf } from './acting.js';
import type { RevocationMarkers } from './revocation-markers.js';
import type { ActedSession, RevokedSessions, SessionRepository } from './session-repository.js';
import { endsApiKeys, type OpeningIdentity, type RevokeReason } from './session.js';

interface Cause {
  reason: RevokeReason;
  event: AuditEventName;
  actor: Actor;
  client: ClientInfo;
  /** Details of the audit row beside the reason and the number of sessions. */
  details?: Record<string, unknown>;
}

/** The sessions of a user that are revoked: all, or all but one and its ancestors. */
interface SessionsToRevoke extends Cause {
  userId: string;
  exceptSessionId?: string;
  /** The reason for which the personal API keys end, too; by default that of the sessions says whether they do. */
  endsApiKeysFor?: ApiKeyRevokeReason;
}

/** One session that is revoked, with its descendants. */
interface SessionToRevoke extends Cause {
  sessionId: string;
  /** Revokes the session only if it belongs to this user. */
  userId?: string;
  /** Defaults to `success`. */
  outcome?: AuditEvent['outcome'];
  /** True if the session is ended by its own token: the actor does that. */
  byItself?: boolean;
}

interface SessionRevokerDeps {
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly markers: RevocationMarkers;
  readonly audit: AuditRepository;
  readonly emailChanges: Pick<EmailChangeRepository, 'endPending'>;
  readonly apiKeyRevoker: Pick<ApiKeyRevoker, 'revokeAllWithin'>;
  readonly trustedDeviceRemoval: Pick<TrustedDeviceRemoval, 'removeAllWithin'>;
}

/**
 * Revokes sessions: rows and audit in one transaction, and markers before that transaction resolves. The descendants of a
 * revoked session are revoked with it.
 */
export class SessionRevoker {
  readonly #deps: SessionRevokerDeps;

  constructor(deps: SessionRevokerDeps) {
    this.#deps = deps;
  }

  /** Revokes the sessions of a user. @returns the number of active sessions that were revoked. */
  revokeAll(target: SessionsToRevoke): Promise<number> {
    return this.#deps.database.transaction((trx) => this.revokeAllWithin(target, trx));
  }

  /**
   * Revokes the sessions of a user as part of a larger transaction. If it is all of them, a pending change of the email
   * address ends, too. Trusted devices end with them, and the personal API keys of the user where the reason says that the account may be
   * in the wrong hands, or is closed.
   * @returns the number of active sessions that were revoked.
   */
  async revokeAllWithin(target: SessionsToRevoke, trx: Transaction): Promise<number> {
    const { userId, exceptSessionId, reason } = target;
    const except = exceptSessionId === undefined ? {} : { exceptSessionId };
    await this.#deps.sessions.lockUser(userId, trx);
    // A person whose sessions all end may have requested another address in one of them.
    if (exceptSessionId === undefined) await this.#deps.emailChanges.endPending(userId, trx);
    const { actor, client } = target;
    const { endsApiKeysFor = endsApiKeys(reason) ? reason : undefined } = target;
    if (endsApiKeysFor !== undefined) {
      const keys = { userId, reason: endsApiKeysFor, actor, client };
      await this.#deps.apiKeyRevoker.revokeAllWithin(keys, trx);
    }
    await this.#deps.trustedDeviceRemoval.removeAllWithin({ userId, reason, actor, client }, trx);
    const revoked = await this.#deps.sessions.revokeAllOf(userId, reason, except, trx);
    await this.#record(target, { subjectUserId: userId }, revoked, trx);
    this.#mark(revoked.activeIds, trx);
    return revoked.activeIds.length;
  }

  /**
   * Revokes the sessions of a user with one factor, as part of a transaction that has locked the user. Writes no audit row if
   * there are none.
   */
  async revokeOneFactorWithin(target: SessionsToRevoke, trx: Transaction): Promise<void> {
    const { userId, exceptSessionId, reason } = target;
    const revoked = await this.#deps.sessions.revokeOneFactorOf(userId, reason, exceptSessionId, trx);
    if (revoked.any) await this.#record(target, { subjectUserId: userId }, revoked, trx);
    this.#mark(revoked.activeIds, trx);
  }

  /**
   * Revokes the sessions that an identity opened, or the one of them that its provider names, as part of a transaction that has locked
   * the user. Writes no audit row if there are none.
   * @returns the number of active sessions that were revoked.
   */
  async revokeOfIdentityWithin(
    target: Cause & OpeningIdentity & { userId: string },
    trx: Transaction,
  ): Promise<number> {
    const { userId, reason } = target;
    const revoked = await this.#deps.sessions.revokeOfIdentity(userId, reason, target, trx);
    const { any, activeIds } = revoked;
    if (any) await this.#record(target, { subjectUserId: userId }, revoked, trx);
    this.#mark(activeIds, trx);
    return activeIds.length;
  }

  /**
   * Revokes one session and its descendants as part of a transaction. Locks the row of the user first, so the transaction must
   * not have locked memberships or sessions yet. A session that was revoked before is marked again: its mark may be lost. If its refresh
   * token was reused, trusted devices end, too: a copy of one cookie of a browser is a copy of all of them.
   */
  async revokeOneWithin(target: SessionToRevoke, trx: Transaction): Promise<void> {
    const { sessionId, userId, reason } = target;
    const ownerId = await this.#deps.sessions.lockOwner(sessionId, trx);
    if (ownerId === undefined || (userId !== undefined && userId !== ownerId)) return;
    if (reason === 'refresh_reuse')
      await this.#deps.trustedDeviceRemoval.removeAllWithin({ ...target, userId: ownerId }, trx);
    const revoked = await this.#deps.sessions.revokeTree(sessionId, reason, trx);
    if (revoked.any) {
      const own = revoked.acted.find(({ id }) => id === sessionId);
      const client = own && target.byItself ? clientOf(own, target.client) : target.client;
      await this.#record({ ...target, client }, { subjectUserId: ownerId, sessionId }, revoked, trx);
    }
    this.#mark([sessionId, ...revoked.activeIds.filter((id) => id !== sessionId)], trx);
  }

  /**
   * Revokes, as part of a change of a user's role, the sessions in which others act for the user and, for one who is no longer
   * staff, those in which the user acts for others. A pending change of the email address ends, too. The transaction has locked the user.
   */
  async revokeActedWithin(
    { userId, byThem, actor, client }: Pick<Cause, 'actor' | 'client'> & { userId: string; byThem: boolean },
    trx: Transaction,
  ): Promise<void> {
    const reason = 'role_changed';
    // A link that was requested before must not change the address of the new role.
    await this.#deps.emailChanges.endPending(userId, trx);
    await this.#deps.trustedDeviceRemoval.removeAllWithin({ userId, reason, actor, client }, trx);
    const revoked = await this.#deps.sessions.revokeActed(userId, reason, { byThem }, trx);
    await this.#recordActed({ reason, actor, client }, revoked.acted, trx);
    this.#mark(revoked.activeIds, trx);
  }

  /**
   * Marks the sessions that stay active after a change of their user, whose access tokens and hints are outdated by it: like a
   * revoked one, each makes every guard ask the database.
   */
  async outdateWithin(userId: string, trx: Transaction): Promise<void> {
    this.#mark(await this.#deps.sessions.liveIdsOf(userId, trx), trx);
  }

  /** Guards with hints reject these sessions before the transaction resolves. */
  #mark(sessionIds: readonly string[], trx: Transaction): void {
    this.#deps.database.afterCommit(trx, () => this.#deps.markers.mark(sessionIds));
  }

  async #record(
    { reason, event, actor, client, details, outcome = 'success' }: Cause & Pick<SessionToRevoke, 'outcome'>,
    about: Pick<AuditEvent, 'subjectUserId' | 'sessionId'>,
    { activeIds, acted }: RevokedSessions,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.audit.insert(
      { event, outcome, actor, ...about, client, details: { ...details, reason, revoked: activeIds.length } },
      trx,
    );
    await this.#recordActed(
      { reason, actor, client },
      acted.filter(({ id }) => id !== about.sessionId),
      trx,
    );
  }

  /** Adds a row about each of these sessions to the log of its user, and names who acted in it. */
  async #recordActed(
    { reason, actor, client }: Pick<Cause, 'reason' | 'actor' | 'client'>,
    acted: readonly ActedSession[],
    trx: Transaction,
  ): Promise<void> {
    const rows = acted.map(({ id: sessionId, userId: subjectUserId, act }): AuditEvent => {
      // What an erasure ends must not keep a text that may name the erased person.
      const name = reason === 'erased' ? null : act.name;
      const details = { reason, endedFor: name ?? act.sub };
      return {
        event: 'session_revoked',
        outcome: 'success',
        actor,
        subjectUserId,
        sessionId,
        client,
        details,
      };
    });
    if (rows.length > 0) await this.#deps.audit.insertAll(rows, trx);
  }
}
