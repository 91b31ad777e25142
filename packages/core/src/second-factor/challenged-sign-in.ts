import type { AuditRepository } from '../audit/audit-repository.js';
import type { ChallengeRepository, OpenChallenge } from '../factors/challenge-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { SecondFactorKind } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import type { SignInAttempt } from '../rate-limits/sign-in-attempt.js';
import { GrantSpentError } from '../sessions/grant-spent-error.js';
import type { SessionCreator } from '../sessions/session-creator.js';
import type { TokenPair } from '../sessions/session-schema.js';
import type { SessionOrigin } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import { withSecondFactor } from '../tokens/authentication-methods.js';
import type { UserRepository } from '../users/user-repository.js';

/** A proof of a second factor. */
interface Proof<Accepted> {
  kind: SecondFactorKind;
  /** True if it is short enough to be guessed: wrong ones count for the account, and it waits after too many. */
  isGuessable: boolean;
  /** True if the challenge must be one for setting up a factor. */
  enrols: boolean;
  /** Verifies and spends the proof. Returns undefined if it is wrong. */
  accept: (challenge: OpenChallenge, trx: Transaction) => Promise<Accepted | undefined>;
  /** Returns details of the audit row of the sign-in. */
  detailsOf: (accepted: Accepted) => Record<string, unknown>;
}

interface ChallengedSignInDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly challenges: ChallengeRepository;
  readonly throttle: AccountThrottle;
  readonly sessionCreator: SessionCreator;
  readonly audit: AuditRepository;
}

type Outcome<Accepted> =
  | { kind: 'signed_in'; tokens: TokenPair; accepted: Accepted }
  | { kind: 'dead' }
  | { kind: 'wrong' }
  | { kind: 'waiting'; seconds: number };

/**
 * Completes sign-ins that wait for a second factor. All of it is decided in one transaction under the lock of the user's
 * row: of simultaneous answers to a challenge, or with one code, one creates a session. It needs no Redis; with it, wrong
 * codes also count for the waits of the account.
 */
export class ChallengedSignIn {
  readonly #deps: ChallengedSignInDeps;

  constructor(deps: ChallengedSignInDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a session if the proof is right.
   * @throws AuthError `unauthorized` for a challenge that cannot be answered any more and for a wrong proof,
   * `rate_limited`, `service_unavailable`, and the errors of the proof.
   */
  async complete<Accepted>(
    challenge: string,
    proof: Proof<Accepted>,
    client: ClientInfo,
  ): Promise<{ tokens: TokenPair; accepted: Accepted }> {
    const digest = digestOf(challenge);
    const found = await this.#deps.challenges.find(digest);
    if (found?.enrols !== proof.enrols) throw challengeInvalid();
    const attempt = await this.#reserve(found.user.email, proof, client);
    try {
      const outcome = await this.#decide(digest, found.user.id, proof, client);
      if (outcome.kind === 'wrong') await attempt?.fail();
      if (outcome.kind !== 'signed_in') throw REFUSALS[outcome.kind](outcome);
      await attempt?.succeed();
      return outcome;
    } finally {
      // Does nothing if the attempt has succeeded or was counted as failed.
      await attempt?.takeBack();
    }
  }

  /** Runs within a transaction that has locked the user of an open challenge. */
  async within<T>(
    challenge: string,
    work: (challenge: OpenChallenge, trx: Transaction) => Promise<T>,
  ): Promise<T> {
    const digest = digestOf(challenge);
    const found = await this.#deps.challenges.find(digest);
    if (!found) throw challengeInvalid();
    return this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([found.user.id], trx);
      const open = await this.#deps.challenges.find(digest, trx);
      if (!open) throw challengeInvalid();
      return work(open, trx);
    });
  }

  /** Strangers who make the account wait must not keep its owner from using a code that cannot be guessed. */
  async #reserve(
    email: string,
    { isGuessable }: Pick<Proof<unknown>, 'isGuessable'>,
    client: ClientInfo,
  ): Promise<SignInAttempt | undefined> {
    try {
      return await this.#deps.throttle.reserve(email, client.ipAddress);
    } catch (error) {
      if (!isGuessable && AuthError.is(error) && error.code === 'rate_limited') return undefined;
      throw error;
    }
  }

  async #decide<Accepted>(
    digest: Buffer,
    userId: string,
    proof: Proof<Accepted>,
    client: ClientInfo,
  ): Promise<Outcome<Accepted>> {
    try {
      return await this.#deps.database.transaction(async (trx) => {
        await this.#deps.users.lock([userId], trx);
        const open = await this.#deps.challenges.find(digest, trx);
        if (!open) return { kind: 'dead' };
        const seconds = proof.isGuessable ? await this.#deps.challenges.codeWait(userId, trx) : 0;
        if (seconds > 0) return { kind: 'waiting', seconds };
        const accepted = await proof.accept(open, trx);
        if (accepted === undefined) return await this.#fail(open, proof, client, trx);
        return await this.#createSession({ digest, open, proof, accepted, client }, trx);
      });
    } catch (error) {
      if (error instanceof GrantSpentError) return { kind: 'dead' };
      throw error;
    }
  }

  async #fail(
    { id, user }: OpenChallenge,
    { kind, isGuessable }: Pick<Proof<unknown>, 'kind' | 'isGuessable'>,
    client: ClientInfo,
    trx: Transaction,
  ): Promise<{ kind: 'wrong' }> {
    await this.#deps.challenges.fail(id, isGuessable, trx);
    await this.#deps.audit.insert(
      {
        event: 'login',
        outcome: 'failure',
        actor: { kind: 'anonymous' },
        subjectUserId: user.id,
        client,
        details: { method: 'second_factor', secondFactor: kind },
      },
      trx,
    );
    return { kind: 'wrong' };
  }

  async #createSession<Accepted>(
    { digest, open, proof, accepted, client }: Answer<Accepted>,
    trx: Transaction,
  ): Promise<Outcome<Accepted>> {
    if (!(await this.#deps.challenges.spend(open.id, trx))) return { kind: 'dead' };
    const { user, amr, method, external } = open;
    // A way in that a later version added is stored as it is.
    const origin = open.origin as SessionOrigin;
    const details = { method, secondFactor: proof.kind, ...proof.detailsOf(accepted) };
    const tokens = await this.#deps.sessionCreator.create(
      {
        user,
        origin,
        amr: withSecondFactor(amr),
        acr: 'aal2',
        passwordHash: null,
        grantDigest: digest,
        ...(external && { external }),
        audit: { event: 'login', actor: { kind: 'user', userId: user.id }, details },
      },
      client,
      trx,
    );
    return { kind: 'signed_in', tokens, accepted };
  }
}

interface Answer<Accepted> {
  digest: Buffer;
  open: OpenChallenge;
  proof: Proof<Accepted>;
  accepted: Accepted;
  client: ClientInfo;
}

export const challengeInvalid = (): AuthError =>
  AuthError.unauthorized(
    'This sign-in has expired, was completed, or the account has changed. Sign in again.',
    'challenge_invalid',
  );

const REFUSALS = {
  dead: challengeInvalid,
  wrong: () => AuthError.unauthorized('The code is wrong or was used before.', 'code_wrong'),
  waiting: (outcome: { kind: string; seconds?: number }) =>
    new AuthError('rate_limited', 'Too many wrong codes. Use a recovery code, or try again later.', {
      reason: 'code_limit_reached',
      retryAfterSeconds: outcome.seconds ?? 1,
    }),
};
