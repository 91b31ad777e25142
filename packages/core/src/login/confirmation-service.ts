import type { AuditEventName } from '../audit/audit-event.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import type { ConfirmationClaim, SessionRepository } from '../sessions/session-repository.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database } from '../storage/database.js';

/** Number of wrong confirmations in a row that revokes the session. */
export const MAX_FAILED_CONFIRMATIONS = 10;

/** The confirming user, and the event that is audited when the proof is wrong. */
export interface Confirmation {
  caller: SignedInUser;
  client: ClientInfo;
  event: AuditEventName;
  /** Details of that audit row, read after the check. */
  details?: () => Record<string, unknown>;
}

/**
 * Limits guesses by a signed-in user who must confirm their identity. Wrong confirmations are counted for
 * each session, wherever they come from: after ten in a row the session is revoked. One confirmation runs at
 * a time. A right one resets the count.
 *
 * All of it is decided in the database, so it is the same on all replicas, and with and without Redis. The
 * account is not slowed down, and its own waits do not matter here: strangers who guess at an account do not
 * keep its owner from changing the password.
 */
export class ConfirmationService {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly sessions: SessionRepository;
    readonly sessionRevoker: SessionRevoker;
    readonly observer: Observer;
  }) {
    this.#deps = deps;
  }

  /**
   * Runs a check and counts its result.
   * @param check returns undefined for a wrong proof, and throws when it could not check it, which does not
   * count.
   * @returns the result of `check`.
   * @throws AuthError `rate_limited` while another confirmation of the session is running; `session_revoked`
   * when too many were wrong; `unauthorized` for an expired session; `forbidden` while an actor acts for the user.
   */
  async run<T>(confirmation: Confirmation, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const { sessionId } = confirmation.caller;
    assertNotActing(confirmation.caller);
    await this.#claim(confirmation);
    let result: T | undefined;
    try {
      result = await check();
    } catch (error) {
      // Without the database the claim expires, and the confirmation stays counted.
      await this.#deps.sessions.takeBackConfirmation(sessionId).catch(() => undefined);
      throw error;
    }
    if (result === undefined) await this.#fail(confirmation);
    else await this.#deps.sessions.confirm(sessionId);
    return result;
  }

  async #claim(confirmation: Confirmation): Promise<void> {
    const claim = await this.#deps.sessions.claimConfirmation(
      confirmation.caller.sessionId,
      MAX_FAILED_CONFIRMATIONS,
    );
    this.#deps.observer.limit('session', claim === 'claimed' ? 'allowed' : 'limited');
    if (claim === 'exhausted') await this.#revokeSession(confirmation);
    if (claim !== 'claimed') throw REFUSALS[claim]();
  }

  async #fail(confirmation: Confirmation): Promise<void> {
    const { caller, client, event, details } = confirmation;
    const { userId, sessionId } = caller;
    const failures = await this.#deps.sessions.failConfirmation(sessionId, {
      event,
      outcome: 'failure',
      actor: { kind: 'user', userId },
      subjectUserId: userId,
      sessionId,
      client,
      details: details?.(),
    });
    if (failures < MAX_FAILED_CONFIRMATIONS) return;
    await this.#revokeSession(confirmation);
    throw REFUSALS.exhausted();
  }

  async #revokeSession({ caller: { userId, sessionId }, client }: Confirmation): Promise<void> {
    await this.#deps.database.transaction((trx) =>
      this.#deps.sessionRevoker.revokeOneWithin(
        {
          sessionId,
          userId,
          reason: 'confirmation_failed',
          event: 'session_revoked',
          actor: { kind: 'user', userId },
          client,
        },
        trx,
      ),
    );
  }
}

const REFUSALS: Record<Exclude<ConfirmationClaim, 'claimed'>, () => AuthError> = {
  busy: () =>
    new AuthError('rate_limited', 'Another confirmation of this session is being checked. Try again.', {
      reason: 'confirmation_in_progress',
      retryAfterSeconds: 1,
    }),
  exhausted: () =>
    new AuthError('session_revoked', 'Too many wrong confirmations: this session was ended. Sign in again.', {
      reason: 'confirmation_failed',
    }),
  revoked: () => new AuthError('session_revoked', 'This session was ended. Sign in again.'),
  expired: () => AuthError.unauthorized('The session has expired. Sign in again.', 'session_expired'),
};
