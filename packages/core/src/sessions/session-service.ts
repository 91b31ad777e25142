import type { Places } from '../geoip/geoip-database.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkGrowingPage, type GrowingPageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { digestOf } from '../kernel/secret.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database, Transaction } from '../storage/database.js';
import type { RefreshTokens } from '../tokens/refresh-token.js';
import type { PresentedToken } from './rotation-repository.js';
import type { SessionQueries } from './session-queries.js';
import type { SessionRepository } from './session-repository.js';
import type { SessionRevoker } from './session-revoker.js';
import {
  refreshTokenInput,
  toSessionView,
  type OwnSessionView,
  type RevokedCount,
  type StatusOk,
} from './session-schema.js';
import type { SessionStateQueries } from './session-state-queries.js';
import type { SessionPrincipal } from './session.js';

const OK: StatusOk = { status: 'ok' };

interface SessionServiceDeps {
  readonly database: Database;
  readonly sessions: SessionRepository;
  readonly sessionStates: SessionStateQueries;
  readonly sessionQueries: SessionQueries;
  readonly sessionRevoker: SessionRevoker;
  readonly refreshTokens: RefreshTokens;
  readonly places: Places;
}

/** Manages the sessions of the caller. */
export class SessionService {
  readonly #deps: SessionServiceDeps;

  constructor(deps: SessionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Revokes the session of a refresh token. An unknown, forged or spent token is accepted too: there is
   * nothing left to revoke.
   * @throws AuthError `validation_error`, `service_unavailable`.
   */
  async logout(refreshToken: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    const input = checkInput(refreshTokenInput, { refreshToken });
    const decoded = this.#deps.refreshTokens.decode(input.refreshToken);
    if (!decoded) return OK;
    const presented: PresentedToken = {
      selectorDigest: digestOf(decoded.selector),
      generation: decoded.generation,
      secretDigest: digestOf(decoded.secret),
      isGenuine: this.#deps.refreshTokens.isGenuine(decoded),
    };
    await this.#deps.database.transaction((trx) => this.#logOut(presented, client, trx));
    return OK;
  }

  /**
   * Revokes all sessions of the caller, the current one included.
   * @throws AuthError `forbidden` in a session in which an actor acts for the user.
   */
  async logoutAll(principal: SessionPrincipal, client: ClientInfo = unknownClient): Promise<RevokedCount> {
    assertNotActing(principal);
    const { userId } = principal;
    const revoked = await this.#deps.sessionRevoker.revokeAll({
      userId,
      reason: 'logout_all',
      event: 'logout_all',
      actor: { kind: 'user', userId },
      client,
    });
    return { status: 'ok', revoked };
  }

  /**
   * Revokes all sessions of the caller except the current one and its ancestors.
   * @throws AuthError `forbidden` in a session in which an actor acts for the user.
   */
  async logoutOthers(principal: SessionPrincipal, client: ClientInfo = unknownClient): Promise<RevokedCount> {
    assertNotActing(principal);
    const { userId, sessionId } = principal;
    const revoked = await this.#deps.sessionRevoker.revokeAll({
      userId,
      exceptSessionId: sessionId,
      reason: 'logout_others',
      event: 'logout_others',
      actor: { kind: 'user', userId },
      client,
    });
    return { status: 'ok', revoked };
  }

  /** Returns the caller's active sessions, newest first. */
  async listOwn(principal: SessionPrincipal, page: GrowingPageInput = {}): Promise<Page<OwnSessionView>> {
    const { userId, sessionId } = principal;
    const entries = await this.#deps.sessionQueries.listActive({ userId }, checkGrowingPage(page));
    const places = await this.#deps.places();
    return mapPage(entries, (entry) => ({
      ...toSessionView(entry, places),
      current: entry.id === sessionId,
    }));
  }

  /**
   * Revokes one of the caller's sessions; revoking it twice is not an error.
   * @throws AuthError `not_found` for a session that is not the caller's, `forbidden` for any but the current one if an actor
   * acts in it for the user.
   */
  async revokeOwn(
    principal: SessionPrincipal,
    sessionId: string,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    sessionId = checkId(sessionId);
    const { userId } = principal;
    const byItself = sessionId === principal.sessionId;
    if (!byItself) assertNotActing(principal);
    await this.#deps.database.transaction(async (trx) => {
      const owner = await this.#deps.sessionStates.findOwner(sessionId, trx);
      if (owner?.id !== userId) throw AuthError.notFound('The session', 'session_not_found');
      const actor = { kind: 'user', userId } as const;
      await this.#deps.sessionRevoker.revokeOneWithin(
        { sessionId, userId, reason: 'revoked', event: 'session_revoked', actor, client, byItself },
        trx,
      );
    });
    return OK;
  }

  async #logOut(presented: PresentedToken, client: ClientInfo, trx: Transaction): Promise<void> {
    const userId = await this.#deps.sessions.lockOwnerBySelector(presented.selectorDigest, trx);
    const sessionId = userId && (await this.#deps.sessions.findForLogout(presented, trx));
    if (!sessionId) return;
    const actor = { kind: 'user', userId } as const;
    await this.#deps.sessionRevoker.revokeOneWithin(
      { sessionId, reason: 'logout', event: 'logout', actor, client, byItself: true },
      trx,
    );
  }
}
