import type { AccessService } from '../access/access-service.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import { checkId } from '../kernel/uuid-input.js';
import { isPlatformAdministrator } from '../memberships/company-authority.js';
import type { MembershipRepository } from '../memberships/membership-repository.js';
import { GrantSpentError } from '../sessions/grant-spent-error.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { HeldSession, SessionRepository } from '../sessions/session-repository.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import { handedOffMethods } from '../tokens/authentication-methods.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { isActingGrant, type ActingGrant, type HandoffCodes, type HandoffGrant } from './handoff-codes.js';
import type { HandoffRefusal } from './handoff-refusal.js';
import type { HandoffRepository } from './handoff-repository.js';
import { exchangeHandoffInput, type HandoffCode, type HandoffTokens } from './handoff-schema.js';
import type { StaffActing } from './staff-acting.js';

interface HandoffServiceDeps {
  readonly database: Database;
  readonly handoffCodes: HandoffCodes;
  readonly handoffRefusal: HandoffRefusal;
  readonly users: UserRepository;
  readonly signInPolicy: SignInPolicy;
  readonly sessions: SessionRepository;
  readonly memberships: MembershipRepository;
  readonly access: Pick<AccessService, 'assertLevel'>;
  readonly handoffs: HandoffRepository;
  readonly beforeHooks: BeforeHookRunner;
  readonly sessionCreator: SessionCreator;
  /** Undefined while staff may not sign in as users. */
  readonly staffActing: Pick<StaffActing, 'open'> | undefined;
  readonly audit: AuditRepository;
  readonly observer: Observer;
  readonly ttl: number;
}

/**
 * Hands a login over to another client, such as a web page opened by an app: a single-use code travels in the
 * URL, never a token. Codes of staff who act for a user are exchanged in the same way. The code is spent by taking it out of the ephemeral store; a store restored from a
 * backup cannot spend it again, because the session keeps the code's digest under a unique index.
 */
export class HandoffService {
  readonly #deps: HandoffServiceDeps;

  constructor(deps: HandoffServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a code for the caller and a company they have access to.
   * @throws AuthError `validation_error`, `forbidden`, also while an actor acts for the user, `second_factor_required` for a
   * company that requires one, `service_unavailable` without the ephemeral store and while that requirement cannot be known.
   */
  async create(
    caller: SignedInUser,
    companyId: string,
    client: ClientInfo = unknownClient,
  ): Promise<HandoffCode> {
    companyId = checkId(companyId, 'companyId');
    assertNotActing(caller);
    const { userId, sessionId, authTime, amr, acr } = caller;
    const membership = await this.#deps.memberships.ofUserInCompany(userId, companyId);
    if (!membership && !isPlatformAdministrator(caller.globalRole)) throw AuthError.forbidden();
    // A code is for access, so it requires of platform staff what access requires of them.
    await this.#deps.access.assertLevel(caller, companyId);
    const grant = { userId, companyId, sessionId, signIn: { authTime, amr, acr } };
    const code = await this.#deps.handoffCodes.create('lkh_', grant, this.#deps.ttl);
    await this.#deps.audit.insert({
      event: 'handoff_created',
      outcome: 'success',
      actor: { kind: 'user', userId },
      subjectUserId: userId,
      companyId,
      sessionId,
      client,
    });
    return code;
  }

  /**
   * Creates a session for the user of a code, once. User, creating session and membership are checked again.
   * The new session is a child of the creating one: it is revoked with it, is as fresh as it, and never lives
   * longer.
   * @throws AuthError `validation_error`, `unauthorized` for a code that is unknown, spent or expired, the sign-in
   * codes, `rate_limited` for too many unknown codes of one address, `service_unavailable` without the ephemeral store.
   */
  exchange(code: string, client: ClientInfo = unknownClient): Promise<HandoffTokens> {
    return reportOutcome(this.#exchange(code, client), (outcome) =>
      this.#deps.observer.signIn('handoff', outcome),
    );
  }

  async #exchange(given: string, client: ClientInfo): Promise<HandoffTokens> {
    const { code } = checkInput(exchangeHandoffInput, { code: given });
    const grant = await this.#deps.handoffCodes.take(code);
    const tokens = grant && (await this.#open(grant, digestOf(code), client));
    return tokens ?? this.#deps.handoffRefusal.refuse('handoff_exchanged', grant, client);
  }

  /** Creates the session of a grant, with the company of its app. @returns undefined if what it was granted for has ended. */
  async #open(
    grant: HandoffGrant | ActingGrant,
    digest: Buffer,
    client: ClientInfo,
  ): Promise<HandoffTokens | undefined> {
    const { companyId: organizationId } = grant;
    // Without a company, it is for the pages of the service.
    if (organizationId === null) return undefined;
    const tokens = isActingGrant(grant)
      ? await this.#deps.staffActing?.open(grant, digest, client)
      : await this.#openOwn(grant, digest, client);
    return tokens && { ...tokens, organizationId };
  }

  async #openOwn(grant: HandoffGrant, digest: Buffer, client: ClientInfo): Promise<TokenPair | undefined> {
    const user = await this.#deps.users.findById(grant.userId);
    if (!user) return undefined;
    this.#deps.signInPolicy.assertMaySignIn(user);
    await this.#deps.beforeHooks.login(user, { method: 'handoff', companyId: grant.companyId }, client);
    return this.#createSession(grant, digest, client);
  }

  async #createSession(
    grant: HandoffGrant,
    grantDigest: Buffer,
    client: ClientInfo,
  ): Promise<TokenPair | undefined> {
    try {
      return await this.#deps.database.transaction(async (trx) => {
        const locked = await this.#lock(grant, trx);
        if (!locked) return undefined;
        const { user } = locked;
        const parent = asSeenBy(grant, locked.parent);
        const actor = { kind: 'user', userId: user.id } as const;
        const audit = { event: 'handoff_exchanged', actor, companyId: grant.companyId } as const;
        const amr = handedOffMethods(parent.amr);
        const { acr } = parent;
        return this.#deps.sessionCreator.create(
          { user, origin: 'handoff', amr, acr, parent, passwordHash: null, grantDigest, audit },
          client,
          trx,
        );
      });
    } catch (error) {
      if (error instanceof GrantSpentError) return undefined;
      throw error;
    }
  }

  /**
   * Locks the rows on which the new session depends, in the order of every write: user, membership, session.
   */
  async #lock(
    { userId, companyId, sessionId }: HandoffGrant,
    trx: Transaction,
  ): Promise<{ user: User; parent: HeldSession } | undefined> {
    const user = (await this.#deps.users.lock([userId], trx)).get(userId);
    if (!user) return undefined;
    this.#deps.signInPolicy.assertMaySignIn(user);
    const isEntitled =
      isPlatformAdministrator(user.globalRole) ||
      (await this.#deps.handoffs.lockActiveMembership(userId, companyId, trx));
    const parent = isEntitled ? await this.#deps.sessions.holdLive(sessionId, userId, trx) : undefined;
    return parent && { user, parent };
  }
}

/** Returns the parent with the sign-in of the token that created the code, which is never newer than its own. */
function asSeenBy({ signIn }: HandoffGrant, parent: HeldSession): HeldSession {
  if (!signIn) return parent;
  const { amr, acr, authTime } = signIn;
  return { ...parent, amr, acr, authTime: Math.min(authTime, parent.authTime) };
}
