import { assertNotActing } from '../kernel/acting-party.js';
import { actorLabel } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { assertHoldsScope } from '../kernel/machine-scope.js';
import { checkId } from '../kernel/uuid-input.js';
import { fieldError } from '../kernel/validation-error.js';
import type { ActingSessionCreator } from '../sessions/acting-session-creator.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { HeldSession, SessionRepository } from '../sessions/session-repository.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { Database, Transaction } from '../storage/database.js';
import { MINTED_METHODS } from '../tokens/authentication-methods.js';
import { outranks } from '../users/authority.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { SignInPolicy } from '../users/sign-in-policy.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased, maySignIn, type User } from '../users/user.js';
import { actorOf, type Administrator } from './administrator.js';
import { mintInput, type CheckedMint, type MintSession } from './mint-schema.js';

interface SessionMintingDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly signInPolicy: SignInPolicy;
  readonly sessionCreator: SessionCreator;
  readonly actingSessionCreator: ActingSessionCreator;
  /** Whether every session must name who acts in it, and the seconds after which such a session ends. */
  readonly acting: { isRequired: boolean; maxLifetime: number };
}

/** One session that is opened for a user. */
interface Mint {
  readonly administrator: Administrator;
  readonly userId: string;
  readonly client: ClientInfo;
}

/** Creates sessions for users who did not sign in here. */
export class SessionMinting {
  readonly #deps: SessionMintingDeps;

  constructor(deps: SessionMintingDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a session for a user without a sign-in, for a caller that has identified the person otherwise. If `input` names who acts
   * in it for the user, the session is limited: it ends with theirs, and changes nothing about how the user signs in. The user is
   * notified.
   * @throws AuthError `validation_error`, `forbidden` for a machine without the scope and for an actor who is no active staff of a
   * higher rank than the user,
   * `not_found`, `conflict` for an erased user and for a session of the actor that has ended, the sign-in codes.
   */
  async mint(
    administrator: Administrator,
    userId: string,
    input: MintSession = {},
    client: ClientInfo = unknownClient,
  ): Promise<TokenPair> {
    const mint = { administrator, userId: checkId(userId), client };
    const { actorUserId, actor, reason, actorSessionId } = checkInput(mintInput, input);
    assertMayMint(administrator, { actorUserId, actor });
    if (reason !== undefined && (actorUserId ?? actor) !== undefined) {
      return this.#mintActing(mint, { actorUserId, actor, actorSessionId, reason });
    }
    if (this.#deps.acting.isRequired) {
      throw fieldError('actorUserId', 'required', 'is required, or actor; see MINT_ACTOR_REQUIRED');
    }
    const user = this.#checked(mint, await this.#deps.users.findById(mint.userId));
    return this.#create(mint, user);
  }

  /** Creates a session in which an actor acts for the user, under the locks of both: whatever ends it later finds it. */
  async #mintActing(mint: Mint, wanted: ActingRequest): Promise<TokenPair> {
    const { actorUserId, actor: name, reason } = wanted;
    const openedBy = actorOf(mint.administrator);
    return this.#deps.database.transaction(async (trx) => {
      const locked = await this.#deps.users.lock([mint.userId, ...(actorUserId ? [actorUserId] : [])], trx);
      const user = this.#checked(mint, locked.get(mint.userId));
      if (actorUserId !== undefined) assertMayActFor(user, locked.get(actorUserId));
      const actorSession = await this.#holdActorSession(wanted, trx);
      const sub = actorUserId ?? actorLabel(openedBy);
      const party = { sub, userId: actorUserId ?? null, name: name ?? null };
      const seconds = this.#deps.acting.maxLifetime;
      return this.#deps.actingSessionCreator.create(
        { user, party, actorSession, reason, seconds, openedBy },
        mint.client,
        trx,
      );
    });
  }

  /**
   * Locks the session of the actor, if one is named.
   * @throws AuthError `conflict` unless it is active and their own.
   */
  async #holdActorSession(
    { actorUserId, actorSessionId }: ActingRequest,
    trx: Transaction,
  ): Promise<HeldSession | undefined> {
    if (actorUserId === undefined || actorSessionId === undefined) return undefined;
    const held = await this.#deps.sessions.holdLive(actorSessionId, actorUserId, trx);
    if (!held || held.act) throw actorSessionEnded();
    return held;
  }

  /** @throws AuthError unless the user may get a session from this caller. */
  #checked({ administrator }: Mint, user: User | undefined): User {
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    // A new role would raise the token version, and the session is created for this version only.
    assertMachineMayWriteTo(actorOf(administrator), user);
    assertNotErased(user);
    this.#deps.signInPolicy.assertMaySignIn(user);
    return user;
  }

  #create({ administrator, client }: Mint, user: User): Promise<TokenPair> {
    return this.#deps.sessionCreator.create(
      {
        user,
        origin: 'minted',
        amr: MINTED_METHODS,
        acr: 'aal1',
        passwordHash: null,
        audit: { event: 'session_minted', actor: actorOf(administrator) },
      },
      client,
    );
  }
}

type ActingRequest = Omit<CheckedMint, 'reason'> & { reason: string };

/** Machines name any member of staff; people only themselves, and not while an actor acts for them. */
function assertMayMint(
  administrator: Administrator,
  { actorUserId, actor }: Pick<CheckedMint, 'actorUserId' | 'actor'>,
): void {
  assertHoldsScope(actorOf(administrator), 'sessions:mint');
  if (administrator.kind !== 'user') return;
  assertNotActing(administrator);
  if (actor !== undefined || (actorUserId ?? administrator.userId) !== administrator.userId) {
    throw AuthError.forbidden();
  }
}

const actorSessionEnded = (): AuthError =>
  AuthError.conflict(
    'actorSessionId does not name an active session of the actor in which they act for themselves.',
    'actor_session_ended',
  );

/**
 * Throws unless the actor is active platform staff of a higher rank than the user, so that no one acts with rights above their
 * own, or for themselves. An unknown actor gets the same answer.
 * @throws AuthError `forbidden`
 */
function assertMayActFor(user: User, actor: User | undefined): void {
  if (actor && maySignIn(actor) && outranks(actor.globalRole, user.globalRole)) return;
  throw new AuthError(
    'forbidden',
    'actorUserId does not name an active user whose platform role is above that of the user.',
    { reason: 'actor_not_allowed' },
  );
}
