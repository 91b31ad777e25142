import type { CheckResult } from './check-result.js';
import { covers, isAcknowledged, isRevocation, isUncertain, type Attempt } from './journal.js';

/**
 * Finds refusals that the client's own requests do not explain: a 401 or 403 of an active session, such as one because a
 * dependency was down, a lost account, or a status that has no place in this load.
 */
export function unexplainedRefusals(attempts: readonly Attempt[]): CheckResult {
  const refused = attempts.filter((attempt) => !isAcknowledged(attempt) && !isUnavailable(attempt));
  const byUser = groupByEmail(attempts);
  const failures = refused
    .filter((attempt) => !isExplained(attempt, byUser.get(attempt.email) ?? []))
    .map(({ operation, email, status, code, reason, sentAt }) => {
      const answer = [status, code, reason].filter((text) => text !== undefined).join(' ');
      return `${operation} of ${email}: ${answer} at ${(sentAt / 1000).toFixed(1)} s`;
    });
  return { title: 'every refusal has its reason; an outage is a 503', count: refused.length, failures };
}

function groupByEmail(attempts: readonly Attempt[]): Map<string, Attempt[]> {
  const groups = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const group = groups.get(attempt.email);
    if (group) group.push(attempt);
    else groups.set(attempt.email, [attempt]);
  }
  return groups;
}

/**
 * No response; 408 for a request whose body was held up on its way; 502 and 504 of HAProxy, if a replica was lost with the
 * request; 503.
 */
const isUnavailable = ({ status }: Attempt): boolean => [0, 408, 502, 503, 504].includes(status);

function isExplained(refused: Attempt, history: readonly Attempt[]): boolean {
  const earlier = history.filter(({ sentAt }) => sentAt < refused.answeredAt);
  const wasTried = (operation: Attempt['operation']) => earlier.some((each) => each.operation === operation);
  const reasons: Readonly<Record<string, () => boolean>> = {
    session_revoked: () =>
      isUseOfSession(refused) && (wasEnded(refused, earlier) || wasReused(refused, earlier)),
    account_inactive: () => wasTried('deactivate'),
    // The account of a registration that was not acknowledged need not exist.
    unauthorized: () => refused.operation === 'sign-in' && !earlier.some(isRegistered),
    conflict: () =>
      refused.operation === 'register' && earlier.some((each) => isUncertainTry(each, 'register')),
  };
  return reasons[refused.code ?? '']?.() ?? false;
}

const isUseOfSession = ({ operation }: Attempt): boolean =>
  operation === 'me' || operation === 'refresh' || operation === 'sign-out-all';

const isRegistered = (attempt: Attempt): boolean =>
  attempt.operation === 'register' && (isAcknowledged(attempt) || attempt.code === 'conflict');

const isUncertainTry = (attempt: Attempt, operation: Attempt['operation']): boolean =>
  attempt.operation === operation && isUncertain(attempt);

function wasEnded({ sessionId = '', userId = '' }: Attempt, earlier: readonly Attempt[]): boolean {
  return earlier.some((each) => isRevocation(each) && covers(each, { sessionId, userId }));
}

/**
 * A refresh without a response may have been carried out late, after its token had been replaced twice. It then counts as
 * the use of a stolen token.
 */
function wasReused({ sessionId }: Attempt, earlier: readonly Attempt[]): boolean {
  return earlier.some((each) => each.sessionId === sessionId && isUncertainTry(each, 'refresh'));
}
