import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { epochSeconds, type Clock } from '../kernel/clock.js';
import type { SessionRepository } from '../sessions/session-repository.js';
import type { SessionStateQueries } from '../sessions/session-state-queries.js';
import { assertSessionActive } from '../sessions/session-status.js';
import type { SessionPrincipal } from '../sessions/session.js';
import type { PreparedToken, TokenIssuer } from '../sessions/token-issuer.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { isRefused, type IdentityProof, type ProofDetails, type RefusedProof } from './identity-proof.js';

interface SessionRaiserDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly sessionStates: SessionStateQueries;
  readonly issuer: TokenIssuer;
  readonly clock: Clock;
}

/** The session that a proof is for. */
type SessionToRaise = Pick<SessionPrincipal, 'userId' | 'sessionId' | 'tokenVersion'>;

/** Raises sessions by verified proofs of identity. */
export class SessionRaiser {
  readonly #deps: SessionRaiserDeps;

  constructor(deps: SessionRaiserDeps) {
    this.#deps = deps;
  }

  /**
   * Spends a proof and raises the session by it.
   * @returns the claims of its next access token, or why the proof turned out to be worthless; only one that is spent can.
   * @throws AuthError if the session has ended or the account has changed, as `assertSessionActive`; `conflict`.
   */
  async raise(
    session: SessionToRaise,
    proof: IdentityProof,
    client: ClientInfo,
  ): Promise<PreparedToken | RefusedProof> {
    const isOneStatement = !proof.spend && !this.#deps.issuer.addsClaims;
    try {
      return await (isOneStatement
        ? this.#raise({ session, proof, client }, {})
        : this.#deps.database.transaction((trx) => this.#spendAndRaise({ session, proof, client }, trx)));
    } catch (error) {
      if (!(error instanceof OutdatedError)) throw error;
      return this.#explain(session, proof);
    }
  }

  /**
   * Locks the row of the user first, as everything does that changes what was verified. A proof that is refused is committed, too:
   * a wrong code was counted for the account.
   */
  async #spendAndRaise(step: Step, trx: Transaction): Promise<PreparedToken | RefusedProof> {
    await this.#deps.users.lock([step.session.userId], trx);
    const spent = (await step.proof.spend?.(trx)) ?? {};
    if (isRefused(spent)) return spent;
    return this.#raise(step, spent, trx);
  }

  async #raise(
    { session, proof, client }: Step,
    spent: ProofDetails,
    trx?: Transaction,
  ): Promise<PreparedToken> {
    const { userId, sessionId, tokenVersion } = session;
    const { method, amr, acr, ceremonyBegunAt, passwordHash } = proof;
    const claims = await this.#deps.sessions.raise(
      {
        sessionId,
        userId,
        verified: { tokenVersion, passwordHash },
        amr,
        acr,
        authTime: epochSeconds(this.#deps.clock),
        ceremonyBegunAt,
      },
      {
        event: 'step_up',
        outcome: 'success',
        actor: { kind: 'user', userId },
        subjectUserId: userId,
        sessionId,
        client,
        details: { method, ...spent },
      },
      trx,
    );
    if (!claims) throw new OutdatedError();
    return this.#deps.issuer.prepare(claims);
  }

  /**
   * Explains why nothing was raised after a right proof: the session ended or the account changed, which does not
   * count, or an earlier ceremony of a passkey, which does.
   */
  async #explain(session: SessionToRaise, { ceremonyBegunAt }: IdentityProof): Promise<RefusedProof> {
    const states = await this.#deps.sessionStates.check([session.sessionId]);
    assertSessionActive(session, states.get(session.sessionId));
    if (ceremonyBegunAt !== null) return { refused: 'ceremony' };
    throw accountChanged();
  }
}

interface Step {
  session: SessionToRaise;
  proof: IdentityProof;
  client: ClientInfo;
}

/** Rolls the transaction back in which a proof was spent, because the state that was verified no longer holds. */
class OutdatedError extends Error {}

export const accountChanged = (): AuthError =>
  AuthError.conflict('The account changed meanwhile. Try again.', 'account_changed');
