import type { Places } from '../geoip/geoip-database.js';
import { assertNotActing } from '../kernel/acting-party.js';
import type { TrustedActor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { prefixOf } from '../kernel/id-prefix.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkGrowingPage, type GrowingPageInput } from '../kernel/page-input.js';
import { mapPage, type Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { SessionQueries } from '../sessions/session-queries.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import {
  sessionFilter,
  toSessionDetailsView,
  toSessionView,
  type RevokedCount,
  type SessionDetailsView,
  type SessionFilter,
  type SessionStats,
  type SessionView,
  type StatusOk,
} from '../sessions/session-schema.js';
import type { SessionStateQueries } from '../sessions/session-state-queries.js';
import type { SessionStatsQueries } from '../sessions/session-stats-queries.js';
import type { Database } from '../storage/database.js';
import type { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';
import { assertMayActOn, mayAct } from '../users/authority.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { actorOf, lockedAdministrator, type Administrator } from './administrator.js';
import {
  EveryoneSignOut,
  revokeEveryoneInput,
  type EveryoneRevoked,
  type EveryoneRun,
  type RevokeEveryone,
} from './everyone.js';

interface SessionAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly sessionStates: SessionStateQueries;
  readonly sessionQueries: SessionQueries;
  readonly sessionStats: SessionStatsQueries;
  readonly sessionRevoker: SessionRevoker;
  readonly trustedDevices: TrustedDeviceRepository;
  readonly places: Places;
}

/** Lists and revokes the sessions of other users. */
export class SessionAdministration {
  readonly #deps: SessionAdministrationDeps;

  constructor(deps: SessionAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns active sessions, newest first. */
  async list(filter: SessionFilter = {}, page: GrowingPageInput = {}): Promise<Page<SessionView>> {
    const wanted = checkInput(sessionFilter.strict(), filter, 'query');
    const entries = await this.#deps.sessionQueries.listActive(wanted, checkGrowingPage(page));
    const places = await this.#deps.places();
    return mapPage(entries, (entry) => toSessionView(entry, places));
  }

  /** Returns the active sessions of one user. @throws AuthError `not_found` for an unknown user. */
  async listOfUser(userId: string, page: GrowingPageInput = {}): Promise<Page<SessionView>> {
    userId = checkId(userId);
    const slice = checkGrowingPage(page);
    if (!(await this.#deps.users.findById(userId))) throw AuthError.notFound('The user', 'user_not_found');
    return this.list({ userId }, slice);
  }

  /**
   * Returns the sessions of an id or of the prefix of one, active or not: active ones first, then the newest.
   * @throws AuthError `validation_error` for fewer than 4 characters.
   */
  async findByPrefix(text: string, limit: number): Promise<SessionDetailsView[]> {
    const found = await this.#deps.sessionQueries.findByPrefix(prefixOf(text), limit);
    const places = await this.#deps.places();
    return found.map((details) => toSessionDetailsView(details, places));
  }

  async stats(): Promise<SessionStats> {
    return this.#deps.sessionStats.read();
  }

  /**
   * Revokes one session; revoking it twice is not an error.
   * @throws AuthError `forbidden`, `not_found`.
   */
  async revoke(
    administrator: Administrator,
    sessionId: string,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    sessionId = checkId(sessionId);
    await this.#deps.database.transaction(async (trx) => {
      const found = await this.#deps.sessionStates.findOwner(sessionId, trx);
      const ids = [...administratorIds(administrator), ...(found ? [found.id] : [])];
      const locked = await this.#deps.users.lock(ids, trx);
      const owner = found && locked.get(found.id);
      if (!owner) throw unknownTo(administrator, 'session');
      const byItself = isOwnSession(administrator, sessionId);
      if (!byItself) assertMayRevokeSessionsOf(administrator, owner, locked);
      const actor = actorOf(administrator);
      await this.#deps.sessionRevoker.revokeOneWithin(
        { sessionId, reason: 'revoked', event: 'session_revoked', actor, client, byItself },
        trx,
      );
    });
    return { status: 'ok' };
  }

  /**
   * Revokes all sessions of a user.
   * @throws AuthError `forbidden`, `not_found`.
   */
  async revokeAll(
    administrator: Administrator,
    userId: string,
    client: ClientInfo = unknownClient,
  ): Promise<RevokedCount> {
    userId = checkId(userId);
    const revoked = await this.#deps.database.transaction(async (trx) => {
      const locked = await this.#deps.users.lock([...administratorIds(administrator), userId], trx);
      const owner = locked.get(userId);
      if (!owner) throw unknownTo(administrator, 'user');
      assertMayRevokeSessionsOf(administrator, owner, locked);
      return this.#deps.sessionRevoker.revokeAllWithin(
        {
          userId,
          reason: 'revoke_all',
          event: 'sessions_revoked',
          actor: actorOf(administrator),
          client,
        },
        trx,
      );
    });
    return { status: 'ok', revoked };
  }

  /**
   * Revokes every session of every user, one user after the other, each with an audit row that contains the
   * reason. A user who signs in again after their turn stays signed in; an interrupted run can be repeated.
   * @throws AuthError `forbidden` for a machine without the scope, `validation_error`, `service_unavailable`.
   */
  async revokeEveryone(
    actor: TrustedActor,
    input: RevokeEveryone,
    client: ClientInfo = unknownClient,
    run: EveryoneRun = {},
  ): Promise<EveryoneRevoked> {
    const { reason } = checkInput(revokeEveryoneInput, input);
    assertHoldsScope(actor, 'users:privileged');
    return new EveryoneSignOut(this.#deps, { actor, client, reason }).run(run);
  }
}

const isOwnSession = (administrator: Administrator, sessionId: string): boolean =>
  administrator.kind === 'user' && administrator.sessionId === sessionId;

const administratorIds = (administrator: Administrator): string[] =>
  administrator.kind === 'user' ? [administrator.userId] : [];

/**
 * Throws unless the administrator may revoke sessions of the owner: their own always, those of others by
 * current role or scope.
 */
function assertMayRevokeSessionsOf(
  administrator: Administrator,
  owner: Pick<User, 'id' | 'globalRole'>,
  locked: Map<string, User>,
): void {
  if (administrator.kind !== 'user') {
    assertMachineMayWriteTo(administrator, owner);
    return;
  }
  if (administrator.userId === owner.id) {
    assertNotActing(administrator);
    return;
  }
  assertMayActOn(lockedAdministrator(administrator, locked), 'revoke-sessions', owner);
}

/**
 * Returns the error for an unknown id. Callers who may not revoke sessions do not learn whether it exists.
 */
function unknownTo(administrator: Administrator, what: 'session' | 'user'): AuthError {
  const mayKnow = administrator.kind !== 'user' || mayAct(administrator.globalRole, 'revoke-sessions');
  return mayKnow ? AuthError.notFound(`The ${what}`, `${what}_not_found`) : AuthError.forbidden();
}
