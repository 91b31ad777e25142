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
import type { FoundSession, RotationRepository } from './rotation-repository.js';
import type { PresentedToken } from './session-repository.js';
import type { SessionRevoker } from './session-revoker.js';
import { refreshTokenInput, type TokenPair } from './session-schema.js';
import type { SessionTreeRepository } from './session-tree-repository.js';
import type { PreparedToken, TokenIssuer } from './token-issuer.js';

/** The part of the coalescing time a refresh waits before it rotates; the rest it waits before it answers. */
const SHARE_BEFORE_ROTATION = 0.4;
/** Milliseconds by which requests that keep joining can prolong either wait. */
const MAX_EXTENSION = 250;
/** Milliseconds by which stalls of this process can prolong the wait before an answer. */
const MAX_STALL_ALLOWANCE = 100;

export interface RefreshOptions {
  lifetimes: Lifetimes;
  /** Milliseconds a refresh takes longer so that simultaneous ones are recognised. */
  coalesceMs: number;
  /** Seconds in which the token before the current one still gets the same successor; 0 is strict. */
  reuseGrace: number;
}

/** One refresh under way in this process, shared by all requests that present its token meanwhile. */
interface Presented {
  token: RefreshToken;
  known: PresentedToken;
  client: ClientInfo;
  /** When the first request reached this process, on the monotonic clock. */
  arrivedAt: number;
  /** When the last one did. */
  joinedAt: number;
  /** Milliseconds the first may have waited unseen before that. */
  stalledFor: number;
}

interface Finding {
  verdict: RefreshVerdict;
  session: FoundSession | undefined;
}

interface RefreshServiceDeps {
  readonly database: Database;
  readonly rotations: RotationRepository;
  readonly trees: SessionTreeRepository;
  readonly sessionRevoker: SessionRevoker;
  readonly issuer: TokenIssuer;
  readonly refreshTokens: RefreshTokens;
  readonly observer: Observer;
}

/**
 * Rotates refresh tokens (RFC 9700 section 4.14). A genuine token that comes back after its rotation ends the
 * session, because somebody else may hold it. Requests that overlap in time are no such sign: tabs of one browser
 * do that. They are told apart by durations only. A refresh waits before it rotates, so whoever arrived meanwhile
 * was in flight at the moment of rotation; and it waits before it answers, so whoever arrives later than that wait
 * must have seen the answer. Within one process, every request that joins starts the wait anew.
 */
export class RefreshService {
  readonly #deps: RefreshServiceDeps;
  readonly #options: RefreshOptions;
  readonly #waitBefore: number;
  readonly #waitAfter: number;
  readonly #stalls = new StallWatch();
  readonly #inFlight = new Map<string, { presented: Presented; answer: Promise<TokenPair> }>();

  constructor(deps: RefreshServiceDeps, options: RefreshOptions) {
    this.#options = options;
    this.#deps = deps;
    this.#waitBefore = options.coalesceMs * SHARE_BEFORE_ROTATION;
    this.#waitAfter = options.coalesceMs - this.#waitBefore;
  }

  /**
   * Exchanges a refresh token for its successor and a fresh access token. Simultaneous calls with one token get the
   * same successor.
   * @throws AuthError `validation_error`, `unauthorized` for an unknown, forged or expired token, `session_revoked` for
   * an ended session and for reuse, the sign-in codes, `service_unavailable`.
   */
  async refresh(refreshToken: string, client: ClientInfo = unknownClient): Promise<TokenPair> {
    const arrivedAt = performance.now();
    const { refreshToken: text } = checkInput(refreshTokenInput, { refreshToken });
    const running = this.#inFlight.get(text);
    if (running) {
      running.presented.joinedAt = arrivedAt;
      return this.#joined(running.answer);
    }
    const presented = this.#read(text, arrivedAt, client);
    const answer = this.#counted(presented).finally(() => this.#inFlight.delete(text));
    this.#inFlight.set(text, { presented, answer });
    return answer;
  }

  /** Ends what the service keeps running for itself. */
  close(): void {
    this.#stalls.stop();
  }

  #read(text: string, arrivedAt: number, client: ClientInfo): Presented {
    const token = this.#deps.refreshTokens.decode(text);
    if (!token) {
      this.#deps.observer.refresh('unknown');
      throw unknownToken();
    }
    const known = {
      selectorDigest: digestOf(token.selector),
      generation: token.generation,
      secretDigest: digestOf(token.secret),
      isGenuine: this.#deps.refreshTokens.isGenuine(token),
    };
    const stalledFor = this.#stalls.stalledFor();
    return { token, known, client, arrivedAt, joinedAt: arrivedAt, stalledFor };
  }

  async #joined(answer: Promise<TokenPair>): Promise<TokenPair> {
    const pair = await answer;
    this.#deps.observer.refresh('coalesced');
    return pair;
  }

  /** Every verdict on a token is told where it is passed; what is left is who may not sign in, and our own faults. */
  async #counted(presented: Presented): Promise<TokenPair> {
    try {
      return await this.#refresh(presented);
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === 'denied' || outcome === 'error') this.#deps.observer.refresh(outcome);
      throw error;
    }
  }

  async #refresh(presented: Presented): Promise<TokenPair> {
    await this.#quiet(presented, this.#waitBefore);
    const successor = this.#deps.refreshTokens.successorOf(presented.token);
    const claims = await this.#rotate(presented, successor);
    const answer = claims ? this.#deps.issuer.issue(claims, successor) : this.#withoutRotation(presented);
    const [pair] = await Promise.all([answer, this.#quiet(presented, this.#answerDelay())]);
    this.#deps.observer.refresh(claims ? 'rotated' : 'coalesced');
    return pair;
  }

  /**
   * One statement; within a transaction where a host app has a say in the token: a rotation whose answer fails would have
   * spent a token for nothing, and its next use would end the session.
   */
  async #rotate({ known }: Presented, successor: RefreshToken): Promise<PreparedToken | undefined> {
    const digest = digestOf(successor.secret);
    const rotate = async (trx?: Transaction): Promise<PreparedToken | undefined> => {
      const bearer = await this.#deps.rotations.rotate(known, digest, this.#options.lifetimes, trx);
      return bearer && this.#deps.issuer.prepare(bearer);
    };
    return this.#deps.issuer.addsClaims ? this.#deps.database.transaction(rotate) : rotate();
  }

  /**
   * Where this process stalls, its peers probably do too. The longer answer leaves them time to notice what has come
   * to them meanwhile, so that a token that comes after the answer is not taken for one that waited in a stall.
   */
  #answerDelay(): number {
    if (this.#waitAfter === 0) return 0;
    return this.#waitAfter + Math.min(this.#stalls.recentStall(), MAX_STALL_ALLOWANCE);
  }

  /**
   * Waits until no request has joined for so many milliseconds. Never shorter than that, though a timer may fire a
   * fraction early: what is decided relies on it.
   */
  async #quiet(presented: Presented, milliseconds: number): Promise<void> {
    const start = performance.now();
    for (;;) {
      const extension = Math.min(Math.max(presented.joinedAt - start, 0), MAX_EXTENSION);
      const left = start + extension + milliseconds - performance.now();
      if (left <= 0) return;
      await sleep(left);
    }
  }

  /** Nothing was rotated: finds out why, and ends the session if the token was reused. */
  async #withoutRotation(presented: Presented): Promise<TokenPair> {
    let finding = await this.#judge(presented);
    if (finding.verdict === 'reused') finding = await this.#judgeReuse(presented);
    const { verdict, session } = finding;
    if (verdict !== 'successor') this.#deps.observer.refresh(OUTCOME_OF[verdict]);
    if (!session || verdict === 'unknown') throw unknownToken();
    if (verdict === 'revoked' || verdict === 'reused') throw sessionRevoked();
    if (verdict === 'expired')
      throw AuthError.unauthorized('The session has expired. Sign in again.', 'session_expired');
    assertMaySignIn(session);
    return this.#repeatSuccessor(presented, session);
  }

  async #judge({ known, arrivedAt, stalledFor }: Presented, trx?: Transaction): Promise<Finding> {
    const inFlightFor = () => performance.now() - arrivedAt;
    const session = await this.#deps.rotations.find(known.selectorDigest, inFlightFor, trx);
    const reuseGrace = this.#options.reuseGrace * 1000;
    const verdict = judgeRefresh(known, session, { answerDelay: this.#waitAfter, stalledFor, reuseGrace });
    return { verdict, session };
  }

  /** The second look, under the locks of user and session: the first may have been dated late by a slow statement. */
  async #judgeReuse(presented: Presented): Promise<Finding> {
    const { finding, ended } = await this.#deps.database.transaction(async (trx) => {
      await this.#deps.trees.lockOwnerBySelector(presented.known.selectorDigest, trx);
      const finding = await this.#judge(presented, trx);
      const reused = finding.verdict === 'reused' ? finding.session : undefined;
      return { finding, ended: reused ? await this.#endReused(reused, presented, trx) : [] };
    });
    await this.#deps.sessionRevoker.markRevoked(ended);
    return finding;
  }

  #endReused(session: FoundSession, { known, client }: Presented, trx: Transaction): Promise<string[]> {
    return this.#deps.sessionRevoker.revokeOneWithin(
      {
        sessionId: session.sessionId,
        reason: 'refresh_reuse',
        event: 'refresh_reuse',
        outcome: 'denied',
        actor: { kind: 'anonymous' },
        client,
        details: { presentedGeneration: known.generation, currentGeneration: session.generation },
      },
      trx,
    );
  }

  async #repeatSuccessor(presented: Presented, session: FoundSession): Promise<TokenPair> {
    const successor = this.#deps.refreshTokens.successorWithDigest(presented.token, session.secretDigest);
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
