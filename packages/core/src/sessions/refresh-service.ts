import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { digestOf } from '../kernel/secret.js';
import type { Database, Transaction } from '../storage/database.js';
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-token.js';
import { assertMaySignIn } from '../users/user.js';
import { judgeRefresh } from './refresh-verdict.js';
import type { Lifetimes, LockedSession, RotationRepository } from './rotation-repository.js';
import type { RevocationMarkers } from './revocation-markers.js';
import type { PresentedToken, SessionRepository } from './session-repository.js';
import type { TokenPair } from './session-schema.js';
import type { TokenIssuer } from './token-issuer.js';

/** The part of the coalescing time a refresh waits before it rotates; the rest it waits before it answers. */
const SHARE_BEFORE_ROTATION = 0.8;

export interface RefreshOptions {
  lifetimes: Lifetimes;
  /** Milliseconds a refresh takes longer so that simultaneous ones are recognised. */
  coalesceMilliseconds: number;
  /** Seconds in which the token before the current one still gets the same successor; 0 is strict. */
  reuseGrace: number;
}

interface Presented {
  token: RefreshToken;
  known: PresentedToken;
  /** When the request reached this process, on the monotonic clock. */
  arrivedAt: number;
}

/**
 * Rotates refresh tokens (RFC 9700 section 4.14). A genuine token that comes back after its rotation ends the
 * session, because somebody else may hold it. Requests that overlap in time are no such sign: tabs of one browser
 * do that. They are told apart by durations only. A refresh waits before it rotates, so whoever arrived meanwhile
 * was in flight at the moment of rotation; and it waits a little before it answers, so whoever arrives later than
 * that wait must have seen the answer.
 */
export class RefreshService {
  readonly #database: Database;
  readonly #rotations: RotationRepository;
  readonly #sessions: SessionRepository;
  readonly #issuer: TokenIssuer;
  readonly #refreshTokens: RefreshTokens;
  readonly #markers: RevocationMarkers;
  readonly #audit: AuditRepository;
  readonly #options: RefreshOptions;
  readonly #waitBefore: number;
  readonly #waitAfter: number;
  readonly #inFlight = new Map<string, Promise<TokenPair>>();

  constructor(
    parts: {
      database: Database;
      rotations: RotationRepository;
      sessions: SessionRepository;
      issuer: TokenIssuer;
      refreshTokens: RefreshTokens;
      markers: RevocationMarkers;
      audit: AuditRepository;
    },
    options: RefreshOptions,
  ) {
    this.#database = parts.database;
    this.#rotations = parts.rotations;
    this.#sessions = parts.sessions;
    this.#issuer = parts.issuer;
    this.#refreshTokens = parts.refreshTokens;
    this.#markers = parts.markers;
    this.#audit = parts.audit;
    this.#options = options;
    this.#waitBefore = options.coalesceMilliseconds * SHARE_BEFORE_ROTATION;
    this.#waitAfter = options.coalesceMilliseconds - this.#waitBefore;
  }

  /**
   * Exchanges a refresh token for its successor and a fresh access token. Simultaneous calls with one token get the
   * same successor.
   * @throws AuthError `unauthorized` for an unknown, forged or expired token, `session_revoked` for an ended session
   * and for reuse, the sign-in codes, `service_unavailable`.
   */
  async refresh(text: string, client: ClientInfo): Promise<TokenPair> {
    const arrivedAt = performance.now();
    const running = this.#inFlight.get(text);
    if (running) return running;
    const token = this.#refreshTokens.decode(text);
    if (!token) throw unknownToken();
    const refreshing = this.#refresh({ token, known: this.#describe(token), arrivedAt }, client).finally(() =>
      this.#inFlight.delete(text),
    );
    this.#inFlight.set(text, refreshing);
    return refreshing;
  }

  #describe(token: RefreshToken): PresentedToken {
    return {
      selectorDigest: digestOf(token.selector),
      generation: token.generation,
      secretDigest: digestOf(token.secret),
      isGenuine: this.#refreshTokens.isGenuine(token),
    };
  }

  async #refresh(presented: Presented, client: ClientInfo): Promise<TokenPair> {
    await sleep(this.#waitBefore);
    const successor = this.#refreshTokens.successorOf(presented.token);
    const claims = await this.#rotations.rotate(
      presented.known,
      digestOf(successor.secret),
      this.#options.lifetimes,
    );
    if (!claims) return this.#withoutRotation(presented, client);
    const [pair] = await Promise.all([this.#issuer.issue(claims, successor), waitAtLeast(this.#waitAfter)]);
    return pair;
  }

  /** Nothing was rotated: finds out why, under the row's lock, and ends the session if the token was reused. */
  async #withoutRotation(presented: Presented, client: ClientInfo): Promise<TokenPair> {
    const outcome = await this.#database.transaction(async (trx) => {
      const inFlightFor = performance.now() - presented.arrivedAt;
      const session = await this.#rotations.lock(presented.known.selectorDigest, trx);
      const verdict = judgeRefresh(presented.known, session, {
        inFlightFor,
        answerDelay: this.#waitAfter,
        reuseGrace: this.#options.reuseGrace * 1000,
      });
      if (verdict === 'reused' && session) await this.#endReused(session, presented, client, trx);
      return { verdict, session };
    });
    const { verdict, session } = outcome;
    if (!session || verdict === 'unknown') throw unknownToken();
    if (verdict === 'revoked') throw sessionRevoked();
    if (verdict === 'reused') {
      await this.#markers.mark([session.sessionId]);
      throw sessionRevoked();
    }
    if (verdict === 'expired') throw AuthError.unauthorized('The session has expired. Sign in again.');
    assertMaySignIn(session);
    return this.#repeatSuccessor(presented, session);
  }

  async #endReused(session: LockedSession, presented: Presented, client: ClientInfo, trx: Transaction) {
    await this.#sessions.revoke({ sessionId: session.sessionId }, 'refresh_reuse', trx);
    await this.#audit.insert(
      {
        event: 'refresh_reuse',
        outcome: 'denied',
        actor: { kind: 'anonymous' },
        subjectUserId: session.userId,
        sessionId: session.sessionId,
        client,
        details: { presentedGeneration: presented.known.generation, currentGeneration: session.generation },
      },
      trx,
    );
  }

  async #repeatSuccessor(presented: Presented, session: LockedSession): Promise<TokenPair> {
    const successor = this.#refreshTokens.successorWithDigest(presented.token, session.secretDigest);
    if (!successor) throw unknownToken();
    return this.#issuer.issue(session, successor);
  }
}

/** A timer may fire a fraction early; what follows relies on the wait being whole. */
async function waitAtLeast(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0; left = end - performance.now()) await sleep(left);
}

const unknownToken = () => AuthError.unauthorized('The refresh token is invalid. Sign in again.');
const sessionRevoked = () => new AuthError('session_revoked', 'This session was ended. Sign in again.');
