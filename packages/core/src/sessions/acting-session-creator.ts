import type { ActingParty } from '../kernel/acting-party.js';
import type { Actor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { Transaction } from '../storage/database.js';
import { MINTED_METHODS } from '../tokens/authentication-methods.js';
import type { User } from '../users/user.js';
import { clientOf } from './acting.js';
import type { SessionCreator } from './session-creator.js';
import type { HeldSession, SessionRepository } from './session-repository.js';
import type { TokenPair } from './session-schema.js';

/** A session in which an actor acts for a user. The transaction has locked the rows of both, and then the session of the actor. */
interface NewActingSession {
  user: User;
  party: ActingParty;
  /** The session of the acting member of staff with which the new one ends. */
  actorSession?: HeldSession | undefined;
  reason: string;
  /** Seconds until the session ends, however often it is refreshed. */
  seconds: number;
  /** The caller that opens it, for the audit log. */
  openedBy: Actor;
  companyId?: string | undefined;
  /** Digest of the one-time code that is spent for it. */
  grantDigest?: Buffer;
}

/** Creates the sessions in which an actor acts for a user, for machines and for platform staff. */
export class ActingSessionCreator {
  readonly #deps;

  constructor(deps: {
    readonly sessions: SessionRepository;
    readonly sessionCreator: SessionCreator;
    readonly notices: SecurityNotices;
  }) {
    this.#deps = deps;
  }

  /**
   * Creates the session, which never outlives that of the actor as it is now, and notifies the user.
   * @throws AuthError the sign-in codes; GrantSpentError for a code that has created a session already.
   */
  async create(wanted: NewActingSession, client: ClientInfo, trx: Transaction): Promise<TokenPair> {
    const { user, party, actorSession, reason, seconds } = wanted;
    const sessionId = actorSession?.id ?? null;
    const until = await this.#deps.sessions.limitFromNow(seconds, actorSession?.expiresAt, trx);
    const tokens = await this.#deps.sessionCreator.create(
      {
        user,
        origin: 'minted',
        amr: MINTED_METHODS,
        acr: 'aal1',
        passwordHash: null,
        acting: { party, sessionId, reason, until },
        ...(wanted.grantDigest && { grantDigest: wanted.grantDigest }),
        audit: {
          event: 'session_minted',
          actor: wanted.openedBy,
          companyId: wanted.companyId,
          details: { statedReason: reason, ...(sessionId !== null && { actorSessionId: sessionId }) },
        },
      },
      clientOf({ act: party }, client),
      trx,
    );
    await this.#deps.notices.enqueue(trx, {
      kind: 'acted_for',
      recipient: user.email,
      payload: { fullName: user.fullName, by: party.name, seconds },
    });
    return tokens;
  }
}
