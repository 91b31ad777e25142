import { setTimeout as sleep } from 'node:timers/promises';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer, RefreshOutcome } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { outcomeOf } from '../kernel/use-case-outcome.js';
import type { Database, Transaction } from '../storage/database.js';
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-token.js';
import { assertMaySignIn } from '../users/user.js';
import { StallWatch } from './event-loop-stalls.js';
import type { Lifetimes } from './lifetimes.js';
import { judgeRefresh, type RefreshVerdict } from './refresh-verdict.js';
import type { FoundSession, PresentedToken, RotationRepository } from './rotation-repository.js';
import type { SessionRepository } from './session-repository.js';
import type { SessionRevoker } from './session-revoker.js';
import { refreshTokenInput, type TokenPair } from './session-schema.js';
import type { PreparedToken, TokenIssuer } from './token-issuer.js';

/**
 * Share of the coalescing time that a refresh waits before it rotates; it waits the rest before it answers.
 */
const SHARE_BEFORE_ROTATION = 0.4;
/** Milliseconds by which further requests with the same token can prolong either wait. */
const MAX_EXTENSION = 250;
/** Milliseconds by which stalls of this process can prolong the wait before the answer. */
const MAX_STALL_ALLOWANCE = 100;

/**
 * One running refresh of this process, shared by all requests that present its token meanwhile. A token has
 * one name at each stage: `refreshToken` as text, `decoded` as its parts, `presented` as its digests,
 * `successor` as the token that replaces it.
 */
interface RunningRefresh {
  /** The token as it was decoded. */
  decoded: RefreshToken;
  /** The token as the database compares it. */
  presented: PresentedToken;
  client: ClientInfo;
  /** Time at which the first request reached this process, on the monotonic clock. */
  arrivedAt: number;
  /** Time at which the last request did. */
  joinedAt: number;
  /** Milliseconds that the first request may have waited unseen before that. */
  stalledFor: number;
}

interface Finding {
  verdict: RefreshVerdict;
  session: FoundSession | undefined;
}

interface RefreshServiceDeps {
  readonly database: Database;
  readonly rotations: RotationRepository;
  readonly sessions: SessionRepository;
  readonly sessionRevoker: SessionRevoker;
  readonly issuer: TokenIssuer;
  readonly refreshTokens: RefreshTokens;
  readonly observer: Observer;
}

/**
 * Rotates refresh tokens (RFC 9700 section 4.14). A genuine token that is presented again after its rotation
 * revokes the session, because it may have been stolen. Requests that overlap in time are no such sign: tabs
 * of one browser do that. The two are distinguished by durations only. A refresh waits before it rotates, so
 * a request that arrived meanwhile was in flight at the moment of rotation; and it waits before it answers,
 * so a request that arrives later than that wait was sent after the answer. Within one process, every request
 * that joins restarts the wait.
 */
export class RefreshService {
  readonly #deps: RefreshServiceDeps;
  readonly #options;
  readonly #waitBefore: number;
  readonly #waitAfter: number;
  readonly #stalls = new StallWatch();
  readonly #inFlight = new Map<string, { refresh: RunningRefresh; answer: Promise<TokenPair> }>();

  constructor(
    deps: RefreshServiceDeps,
    options: {
      lifetimes: Lifetimes;
      /** Milliseconds that a refresh takes longer so that simultaneous ones are recognised. */
      coalesceMs: number;
      /** Seconds in which the previous token still returns the same successor; 0 is strict. */
      reuseGrace: number;
    },
  ) {
    this.#options = options;
    this.#deps = deps;
    this.#waitBefore = options.coalesceMs * SHARE_BEFORE_ROTATION;
    this.#waitAfter = options.coalesceMs - this.#waitBefore;
  }

  /**
   * Exchanges a refresh token for its successor and a new access token. Simultaneous calls with one token
   * return the same successor.
   * @throws AuthError `validation_error`, `unauthorized` for an unknown, forged or expired token, `session_revoked` for
   * a revoked session and for reuse, the sign-in codes, `service_unavailable`.
   */
  async refresh(refreshToken: string, client: ClientInfo = unknownClient): Promise<TokenPair> {
    const arrivedAt = performance.now();
    ({ refreshToken } = checkInput(refreshTokenInput, { refreshToken }));
    const running = this.#inFlight.get(refreshToken);
    if (running) {
      running.refresh.joinedAt = arrivedAt;
      return this.#joined(running.answer);
    }
    const refresh = this.#decode(refreshToken, arrivedAt, client);
    const answer = this.#reported(refresh).finally(() => this.#inFlight.delete(refreshToken));
    this.#inFlight.set(refreshToken, { refresh, answer });
    return answer;
  }

  /** Stops the timer of the service. */
  close(): void {
    this.#stalls.stop();
  }

  #decode(refreshToken: string, arrivedAt: number, client: ClientInfo): RunningRefresh {
    const decoded = this.#deps.refreshTokens.decode(refreshToken);
    if (!decoded) {
      this.#deps.observer.refresh('unknown');
      throw unknownToken();
    }
    const presented = {
      selectorDigest: digestOf(decoded.selector),
      generation: decoded.generation,
      secretDigest: digestOf(decoded.secret),
      isGenuine: this.#deps.refreshTokens.isGenuine(decoded),
    };
    const stalledFor = this.#stalls.stalledFor();
    return { decoded, presented, client, arrivedAt, joinedAt: arrivedAt, stalledFor };
  }

  async #joined(answer: Promise<TokenPair>): Promise<TokenPair> {
    const pair = await answer;
    this.#deps.observer.refresh('coalesced');
    return pair;
  }

  /**
   * Reports the outcomes that are not verdicts on the token: a user who may not sign in, and internal errors.
   * Verdicts are reported where they are reached.
   */
  async #reported(refresh: RunningRefresh): Promise<TokenPair> {
    try {
      return await this.#refresh(refresh);
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === 'denied' || outcome === 'error') this.#deps.observer.refresh(outcome);
      throw error;
    }
  }

  async #refresh(refresh: RunningRefresh): Promise<TokenPair> {
    await this.#quiet(refresh, this.#waitBefore);
    const successor = this.#deps.refreshTokens.successorOf(refresh.decoded);
    const claims = await this.#rotate(refresh, successor);
    const answer = claims ? this.#deps.issuer.issue(claims, successor) : this.#withoutRotation(refresh);
    const [pair] = await Promise.all([answer, this.#quiet(refresh, this.#answerDelay())]);
    this.#deps.observer.refresh(claims ? 'rotated' : 'coalesced');
    return pair;
  }

  /**
   * Rotates the token in one statement; within a transaction if a host app adds claims: a rotation whose
   * answer fails would have spent the token, and its next use would revoke the session.
   */
  async #rotate({ presented }: RunningRefresh, successor: RefreshToken): Promise<PreparedToken | undefined> {
    const digest = digestOf(successor.secret);
    const rotate = async (trx?: Transaction): Promise<PreparedToken | undefined> => {
      const bearer = await this.#deps.rotations.rotate(presented, digest, this.#options.lifetimes, trx);
      return bearer && this.#deps.issuer.prepare(bearer);
    };
    return this.#deps.issuer.addsClaims ? this.#deps.database.transaction(rotate) : rotate();
  }

  /**
   * Returns the milliseconds to wait before the answer. Where this process stalls, its replicas probably do
   * too: the longer wait leaves them time to notice the requests that arrived meanwhile, so that a token that
   * arrives after the answer is not mistaken for one that waited in a stall.
   */
  #answerDelay(): number {
    if (this.#waitAfter === 0) return 0;
    return this.#waitAfter + Math.min(this.#stalls.recentStall(), MAX_STALL_ALLOWANCE);
  }

  /**
   * Waits until no request has joined for this many milliseconds. Never shorter, though a timer may fire a
   * fraction early: the decisions rely on it.
   */
  async #quiet(refresh: RunningRefresh, milliseconds: number): Promise<void> {
    const start = performance.now();
    for (;;) {
      const extension = Math.min(Math.max(refresh.joinedAt - start, 0), MAX_EXTENSION);
      const left = start + extension + milliseconds - performance.now();
      if (left <= 0) return;
      await sleep(left);
    }
  }

  /**
   * Answers a token that was not rotated: repeats its successor, or throws the reason. Revokes the session if
   * the token was reused.
   */
  async #withoutRotation(refresh: RunningRefresh): Promise<TokenPair> {
    let finding = await this.#judge(refresh);
    if (finding.verdict === 'reused') finding = await this.#judgeReuse(refresh);
    const { verdict, session } = finding;
    if (verdict !== 'successor') this.#deps.observer.refresh(OUTCOME_OF[verdict]);
    if (!session || verdict === 'unknown') throw unknownToken();
    if (verdict === 'revoked' || verdict === 'reused') throw sessionRevoked();
    if (verdict === 'expired')
      throw AuthError.unauthorized('The session has expired. Sign in again.', 'session_expired');
    assertMaySignIn(session);
    return this.#repeatSuccessor(refresh, session);
  }

  async #judge({ presented, arrivedAt, stalledFor }: RunningRefresh, trx?: Transaction): Promise<Finding> {
    const inFlightFor = () => performance.now() - arrivedAt;
    const session = await this.#deps.rotations.find(presented.selectorDigest, inFlightFor, trx);
    const reuseGrace = this.#options.reuseGrace * 1000;
    const verdict = judgeRefresh(presented, session, {
      answerDelay: this.#waitAfter,
      stalledFor,
      reuseGrace,
    });
    return { verdict, session };
  }

  /**
   * Judges a reuse again under the locks of user and session: a slow statement may have made the first look
   * too late.
   */
  async #judgeReuse(refresh: RunningRefresh): Promise<Finding> {
    return this.#deps.database.transaction(async (trx) => {
      await this.#deps.sessions.lockOwnerBySelector(refresh.presented.selectorDigest, trx);
      const finding = await this.#judge(refresh, trx);
      const reused = finding.verdict === 'reused' ? finding.session : undefined;
      if (reused) await this.#revokeReused(reused, refresh, trx);
      return finding;
    });
  }

  #revokeReused(
    session: FoundSession,
    { presented, client }: RunningRefresh,
    trx: Transaction,
  ): Promise<void> {
    return this.#deps.sessionRevoker.revokeOneWithin(
      {
        sessionId: session.sessionId,
        reason: 'refresh_reuse',
        event: 'refresh_reuse',
        outcome: 'denied',
        actor: { kind: 'anonymous' },
        client,
        details: { presentedGeneration: presented.generation, currentGeneration: session.generation },
      },
      trx,
    );
  }

  async #repeatSuccessor(refresh: RunningRefresh, session: FoundSession): Promise<TokenPair> {
    const successor = this.#deps.refreshTokens.successorWithDigest(refresh.decoded, session.secretDigest);
    if (!successor) {
      this.#deps.observer.refresh('unknown');
      throw unknownToken();
    }
    return this.#deps.issuer.issue(this.#deps.issuer.prepare(session), successor);
  }
}

const OUTCOME_OF: Record<Exclude<RefreshVerdict, 'successor'>, RefreshOutcome> = {
  unknown: 'unknown',
  revoked: 'revoked',
  expired: 'expired',
  reused: 'reuse',
};

const unknownToken = () =>
  AuthError.unauthorized('The refresh token is invalid. Sign in again.', 'refresh_token_invalid');
const sessionRevoked = () => new AuthError('session_revoked', 'This session was ended. Sign in again.');
