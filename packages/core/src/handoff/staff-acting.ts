import { actorOf, lockedAdministrator, type Administrator } from '../admin/administrator.js';
import type { StaffStepUp } from '../admin/staff-step-up.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { digestOf } from '../kernel/secret.js';
import { checkId } from '../kernel/uuid-input.js';
import { fieldError } from '../kernel/validation-error.js';
import { isPlatformAdministrator } from '../memberships/company-authority.js';
import type { MembershipRepository } from '../memberships/membership-repository.js';
import type { ActingSessionCreator } from '../sessions/acting-session-creator.js';
import { GrantSpentError } from '../sessions/grant-spent-error.js';
import type { SessionRepository } from '../sessions/session-repository.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMayActOn } from '../users/authority.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased, type User } from '../users/user.js';
import { isActingGrant, type ActingGrant, type HandoffCodes } from './handoff-codes.js';
import type { HandoffRefusal } from './handoff-refusal.js';
import type { HandoffRepository } from './handoff-repository.js';
import { actForInput, exchangeHandoffInput, type ActFor, type HandoffCode } from './handoff-schema.js';

/** Seconds that a code is valid at most: the browser of the member of staff redeems it at once. */
const LONGEST_CODE_TTL = 60;

interface StaffActingDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly sessions: SessionRepository;
  readonly memberships: MembershipRepository;
  readonly handoffs: HandoffRepository;
  readonly handoffCodes: HandoffCodes;
  readonly handoffRefusal: HandoffRefusal;
  readonly staffStepUp: StaffStepUp;
  readonly actingSessionCreator: ActingSessionCreator;
  readonly audit: AuditRepository;
  /** `maxLifetime`: seconds after which an acting session ends. */
  readonly acting: { maxLifetime: number };
  /** Seconds that a hand-off code is valid. */
  readonly ttl: number;
  /** False in cookie mode: the cookies of an app would replace those of the member of staff. */
  readonly isForApps: boolean;
}

/** Lets platform staff act for users: a code that works once, and the session that it creates. */
export class StaffActing {
  readonly #deps: StaffActingDeps;

  constructor(deps: StaffActingDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a code by which a member of staff acts for a user of a lower role. It is valid for a minute at most, and for one exchange.
   * @throws AuthError `validation_error`, `not_found`, `forbidden` for machines, moderators, users of the same or a higher role, the
   * member of staff themselves and while an actor acts for them; `reauthentication_required`; `conflict` for an erased user; the
   * sign-in codes for a user who may not sign in; `service_unavailable` without the ephemeral store.
   */
  async createCode(
    administrator: Administrator,
    userId: string,
    input: ActFor,
    client: ClientInfo = unknownClient,
  ): Promise<HandoffCode> {
    userId = checkId(userId);
    const { reason, companyId = null, ...wanted } = checkInput(actForInput, input);
    const seconds = this.#secondsOf(wanted);
    const staff = staffOf(administrator);
    assertNotActing(staff, client);
    const user = await this.#deps.users.findById(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    assertMayActOn({ id: staff.userId, globalRole: staff.globalRole }, 'act-for', user);
    this.#deps.staffStepUp.assertRecent(staff);
    assertNotErased(user);
    this.#deps.signInPolicy.assertMaySignIn(user);
    if (companyId !== null) await this.#assertForApp(user, companyId);
    const { userId: actorUserId, sessionId } = staff;
    const grant = { userId, companyId, actorUserId, sessionId, reason, seconds };
    const code = await this.#deps.handoffCodes.create(
      'lka_',
      grant,
      Math.min(this.#deps.ttl, LONGEST_CODE_TTL),
    );
    await this.#deps.audit.insert({
      event: 'acting_code_created',
      outcome: 'success',
      actor: actorOf(staff),
      subjectUserId: userId,
      companyId: companyId ?? undefined,
      sessionId,
      client,
      details: { statedReason: reason, seconds },
    });
    return code;
  }

  /**
   * Creates the acting session of a code that is for the pages of the service, once. Whether the member of staff may act for the user
   * is judged again, under the locks of both.
   * @throws AuthError `validation_error`, `unauthorized` for a code that is unknown, spent, expired, for an app, or of a session that has
   * ended; `forbidden` for a member of staff who may no longer act for the user; the sign-in codes; `rate_limited` for too many unknown
   * codes of one address; `service_unavailable` without the ephemeral store.
   */
  async exchange(code: string, client: ClientInfo = unknownClient): Promise<TokenPair> {
    ({ code } = checkInput(exchangeHandoffInput, { code }));
    const grant = await this.#deps.handoffCodes.take(code);
    const isForPages = isActingGrant(grant) && grant.companyId === null;
    const tokens = isForPages ? await this.open(grant, digestOf(code), client) : undefined;
    return tokens ?? this.#deps.handoffRefusal.refuse('session_minted', grant, client);
  }

  /**
   * Creates the acting session of a grant.
   * @param grantDigest that of the spent code: it creates one session even if the ephemeral store is restored from a backup.
   * @returns undefined if the session of the member of staff, or the membership of the user, has ended.
   * @throws AuthError `forbidden`, the sign-in codes.
   */
  async open(grant: ActingGrant, grantDigest: Buffer, client: ClientInfo): Promise<TokenPair | undefined> {
    try {
      return await this.#deps.database.transaction((trx) =>
        this.#openWithin(grant, { grantDigest, client, trx }),
      );
    } catch (error) {
      if (error instanceof GrantSpentError) return undefined;
      throw error;
    }
  }

  /** Locks both users, the membership and the session of the actor, in the order of every write. */
  async #openWithin(
    { userId, actorUserId, sessionId, companyId, reason, seconds }: ActingGrant,
    { grantDigest, client, trx }: { grantDigest: Buffer; client: ClientInfo; trx: Transaction },
  ): Promise<TokenPair | undefined> {
    const locked = await this.#deps.users.lock([userId, actorUserId], trx);
    const user = locked.get(userId);
    if (!user) return undefined;
    assertMayActOn(lockedAdministrator({ userId: actorUserId }, locked), 'act-for', user);
    assertNotErased(user);
    this.#deps.signInPolicy.assertMaySignIn(user);
    if (companyId !== null && !(await this.#holdEntitlement(user, companyId, trx))) return undefined;
    const actorSession = await this.#deps.sessions.holdLive(sessionId, actorUserId, trx);
    if (!actorSession || actorSession.act) return undefined;
    const party = { sub: actorUserId, userId: actorUserId, name: null };
    const openedBy = { kind: 'user', userId: actorUserId } as const;
    return this.#deps.actingSessionCreator.create(
      {
        user,
        party,
        actorSession,
        reason,
        seconds,
        openedBy,
        companyId: companyId ?? undefined,
        grantDigest,
      },
      client,
      trx,
    );
  }

  /** Returns whether the user has access to the company, and locks the membership that says so. */
  async #holdEntitlement({ id, globalRole }: User, companyId: string, trx: Transaction): Promise<boolean> {
    return (
      isPlatformAdministrator(globalRole) || this.#deps.handoffs.lockActiveMembership(id, companyId, trx)
    );
  }

  /** @throws AuthError `validation_error` for more than the longest time. */
  #secondsOf({ minutes }: { minutes?: number | undefined }): number {
    const { maxLifetime } = this.#deps.acting;
    if (minutes === undefined) return maxLifetime;
    if (minutes * 60 <= maxLifetime) return minutes * 60;
    throw fieldError('minutes', 'too_big', `must be at most ${Math.floor(maxLifetime / 60)}`);
  }

  /** @throws AuthError `validation_error` in cookie mode, `forbidden` for a company that the user has no access to. */
  async #assertForApp({ id, globalRole }: User, companyId: string): Promise<void> {
    if (!this.#deps.isForApps) {
      throw fieldError('companyId', 'not_allowed', 'must be left out while AUTH_WEB_COOKIE_MODE is on');
    }
    const membership = await this.#deps.memberships.ofUserInCompany(id, companyId);
    if (membership || isPlatformAdministrator(globalRole)) return;
    throw AuthError.forbidden('The user is no active member of this company.');
  }
}

/** Returns the member of staff and the session in which they ask. @throws AuthError `forbidden` for other callers. */
function staffOf(
  administrator: Administrator,
): Extract<Administrator, { kind: 'user' }> & { sessionId: string } {
  if (administrator.kind !== 'user' || administrator.sessionId === undefined) throw AuthError.forbidden();
  return { ...administrator, sessionId: administrator.sessionId };
}
