import { z } from 'zod';
import type { TrustedActor } from '../kernel/actor.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { SessionQueries } from '../sessions/session-queries.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';

const LONGEST_REASON = 200;

/** Input of `revokeEveryone`. */
export const revokeEveryoneInput = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'must say why all sessions are revoked')
    .max(LONGEST_REASON, `must be at most ${LONGEST_REASON} characters`)
    .regex(/^\P{Cc}*$/u, 'must be one line'),
});
/** Reason for revoking every session of every user; each audit row contains it. */
export type RevokeEveryone = z.input<typeof revokeEveryoneInput>;

/** Options to follow and stop a long run. */
export interface EveryoneRun {
  /** Called with the number of sessions that were revoked so far. */
  onProgress?: ((revoked: number) => void) | undefined;
  /** Stops the run after the users that are being signed out. */
  signal?: AbortSignal | undefined;
}

/** Numbers of users and of their revoked sessions. */
export interface EveryoneRevoked {
  status: 'ok';
  users: number;
  revoked: number;
  /** False if the run was stopped before the last user; a further run revokes the rest. */
  isComplete: boolean;
}

/** Number of users whose ids are read at once. */
const PAGE = 200;
/** Number of users signed out at the same time: enough to be quick, few beside a running service. */
const AT_ONCE = 4;

/** Actor, client and reason of a revocation for all users. */
interface EveryoneCause {
  actor: TrustedActor;
  client: ClientInfo;
  reason: string;
}

/**
 * Revokes the sessions of all users, in order of their ids, each in a transaction with its audit row. A run
 * that is interrupted has revoked the sessions of the users before; the next one continues with the others.
 */
export class EveryoneSignOut {
  readonly #deps;
  readonly #cause: EveryoneCause;
  #revoked = 0;
  #users = 0;

  constructor(
    deps: {
      readonly sessionQueries: Pick<SessionQueries, 'usersWithSessions'>;
      readonly sessionRevoker: SessionRevoker;
      readonly trustedDevices: Pick<TrustedDeviceRepository, 'usersAfter'>;
    },
    cause: EveryoneCause,
  ) {
    this.#deps = deps;
    this.#cause = cause;
  }

  async run({ onProgress, signal }: EveryoneRun): Promise<EveryoneRevoked> {
    let after: string | undefined;
    while (signal?.aborted !== true) {
      const page = await this.#usersAfter(after);
      if (page.length === 0) return this.#result(true);
      await this.#signOut(page, onProgress, signal);
      after = page.at(-1);
    }
    return this.#result(false);
  }

  /** Returns the users of the next page: those with sessions, and those whose sessions have ended but who still trust a device. */
  async #usersAfter(after: string | undefined): Promise<string[]> {
    const signedIn = await this.#deps.sessionQueries.usersWithSessions(after, PAGE);
    const trusting = await this.#deps.trustedDevices.usersAfter(after, PAGE);
    return [...new Set([...signedIn, ...trusting])].sort().slice(0, PAGE);
  }

  /** Signs out the users of one page. */
  async #signOut(
    userIds: readonly string[],
    onProgress: EveryoneRun['onProgress'],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const waiting = userIds.values();
    const work = async (): Promise<void> => {
      for (const userId of waiting) {
        if (signal?.aborted === true) return;
        await this.#signOutOne(userId);
        onProgress?.(this.#revoked);
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  async #signOutOne(userId: string): Promise<void> {
    const { actor, client, reason: why } = this.#cause;
    const revoked = await this.#deps.sessionRevoker.revokeAll({
      userId,
      reason: 'revoke_all',
      event: 'sessions_revoked',
      actor,
      client,
      details: { everyone: true, why },
    });
    // Not `+= await`, which adds to the number from before: others are signed out meanwhile.
    this.#revoked += revoked;
    this.#users += revoked > 0 ? 1 : 0;
  }

  #result(isComplete: boolean): EveryoneRevoked {
    return { status: 'ok', users: this.#users, revoked: this.#revoked, isComplete };
  }
}
