import type { CheckResult } from './check-result.js';
import { isAcknowledged, isRevocation, type Attempt } from './journal.js';
import { OpenedSessions } from './opened-sessions.js';
import { unexplainedRefusals } from './refusals.js';

/** The final content of the database. */
export interface StoredState {
  /** By email. */
  users: ReadonlyMap<string, { isActive: boolean }>;
  /** By id. `generation` counts rotations. */
  sessions: ReadonlyMap<string, { isRevoked: boolean; generation: number }>;
}

/** Checks the journals of all clients against each other and against the database. */
export function checkHistory(attempts: readonly Attempt[], stored: StoredState): CheckResult[] {
  return [
    lostWrites(attempts, stored),
    acceptedAfterEnd(attempts),
    secondSuccessors(attempts),
    unexplainedRefusals(attempts),
  ];
}

/** Finds writes that were acknowledged and are not in the database. */
export function lostWrites(attempts: readonly Attempt[], { users, sessions }: StoredState): CheckResult {
  const acknowledged = attempts.filter(isAcknowledged);
  const opened = new OpenedSessions(acknowledged);
  const rotations = countRotations(acknowledged);
  const failures: string[] = [];
  const check = (isThere: boolean, what: string): void => {
    if (!isThere) failures.push(what);
  };
  let count = rotations.size;
  for (const [id, rotated] of rotations) {
    const generation = sessions.get(id)?.generation ?? -1;
    check(
      generation >= rotated,
      `session ${id}: ${rotated} rotations were acknowledged, ${generation} are stored`,
    );
  }
  for (const attempt of acknowledged) {
    const { operation, email, sessionId = '' } = attempt;
    if (operation === 'register') check(users.has(email), `the account of ${email}`);
    else if (operation === 'sign-in') check(sessions.has(sessionId), `the session ${sessionId}`);
    else if (operation === 'deactivate') check(users.get(email)?.isActive === false, `the end of ${email}`);
    else if (!isRevocation(attempt)) continue;
    count += 1;
    if (!isRevocation(attempt)) continue;
    for (const id of opened.endedBy(attempt)) {
      check(sessions.get(id)?.isRevoked === true, `the end of session ${id} by ${operation}`);
    }
  }
  return { title: 'acknowledged writes are in the database', count, failures };
}

/** Finds sessions that were accepted after their end had been acknowledged, and sign-ins of deactivated accounts. */
export function acceptedAfterEnd(attempts: readonly Attempt[]): CheckResult {
  const acknowledged = attempts.filter(isAcknowledged);
  const ends = new OpenedSessions(acknowledged).ends();
  const failures: string[] = [];
  let count = 0;
  for (const attempt of attempts) {
    const { operation, email, sessionId = '' } = attempt;
    const endedAt = operation === 'sign-in' ? ends.accounts.get(email) : ends.sessions.get(sessionId);
    const isUse = operation === 'me' || operation === 'refresh' || operation === 'sign-in';
    if (!isUse || endedAt === undefined || attempt.sentAt <= endedAt) continue;
    count += 1;
    if (isAcknowledged(attempt)) {
      const late = Math.round(attempt.sentAt - endedAt);
      failures.push(`${operation} of ${email}, session ${sessionId}: accepted ${late} ms after its end`);
    }
  }
  return { title: 'no ended session is accepted', count, failures };
}

/** Finds refresh tokens that were replaced by two different ones. */
export function secondSuccessors(attempts: readonly Attempt[]): CheckResult {
  const successors = new Map<string, Set<string>>();
  for (const { operation, token, successor } of attempts) {
    if (operation !== 'refresh' || token === undefined || successor === undefined) continue;
    successors.set(token, (successors.get(token) ?? new Set()).add(successor));
  }
  const failures = [...successors]
    .filter(([, all]) => all.size > 1)
    .map(([token, all]) => `a token ending in ${token.slice(-6)} has ${all.size} successors`);
  return { title: 'a refresh token has one successor', count: successors.size, failures };
}

/** Returns the number of different successors by session. */
function countRotations(acknowledged: readonly Attempt[]): Map<string, number> {
  const successors = new Map<string, Set<string>>();
  for (const { operation, sessionId, successor } of acknowledged) {
    if (operation !== 'refresh' || sessionId === undefined || successor === undefined) continue;
    successors.set(sessionId, (successors.get(sessionId) ?? new Set()).add(successor));
  }
  return new Map([...successors].map(([id, all]) => [id, all.size]));
}
