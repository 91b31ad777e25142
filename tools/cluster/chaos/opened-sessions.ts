import { covers, isRevocation, type Attempt } from './journal.js';

interface OpenedSession {
  sessionId: string;
  userId: string;
  openedAt: number;
}

/** The sessions of acknowledged sign-ins, and the acknowledged requests that ended them. */
export class OpenedSessions {
  readonly #acknowledged: readonly Attempt[];
  readonly #byUser = new Map<string, OpenedSession[]>();

  constructor(acknowledged: readonly Attempt[]) {
    this.#acknowledged = acknowledged;
    for (const { operation, sessionId, userId, answeredAt } of acknowledged) {
      if (operation !== 'sign-in' || sessionId === undefined || userId === undefined) continue;
      const session = { sessionId, userId, openedAt: answeredAt };
      this.#byUser.set(userId, [...(this.#byUser.get(userId) ?? []), session]);
    }
  }

  /** Returns the sessions that an acknowledged revocation has ended: those that were open when it was sent. */
  endedBy(revocation: Attempt): string[] {
    return (this.#byUser.get(revocation.userId ?? '') ?? [])
      .filter((session) => session.openedAt <= revocation.sentAt && covers(revocation, session))
      .map(({ sessionId }) => sessionId);
  }

  /** Returns when the end of each session, and of each account by email, was first acknowledged. */
  ends(): { sessions: Map<string, number>; accounts: Map<string, number> } {
    const sessions = new Map<string, number>();
    const accounts = new Map<string, number>();
    for (const revocation of this.#acknowledged.filter(isRevocation)) {
      for (const id of this.endedBy(revocation)) keepFirst(sessions, id, revocation.answeredAt);
      if (revocation.operation === 'deactivate') keepFirst(accounts, revocation.email, revocation.answeredAt);
    }
    return { sessions, accounts };
  }
}

const keepFirst = (times: Map<string, number>, key: string, time: number): void => {
  times.set(key, Math.min(time, times.get(key) ?? Infinity));
};
