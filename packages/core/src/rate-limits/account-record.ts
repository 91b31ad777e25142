/** Rules that delay sign-ins to an account after failures. All times in seconds. */
export interface ThrottlePolicy {
  /** Failures within `window` that start the first wait. */
  failures: number;
  window: number;
  /** The first wait; each further failure after a wait doubles it. */
  firstWait: number;
  maxWait: number;
  /** Time for which an address that has signed in is exempt from waits. */
  exemption: number;
  /** Maximum failures of such addresses within `day`. */
  knownFailures: number;
  day: number;
  /** Attempts within `firstsWindow` during a wait, of addresses that have not failed for the account. */
  firsts: number;
  firstsWindow: number;
}

export const DEFAULT_THROTTLE_POLICY: ThrottlePolicy = {
  failures: 20,
  window: 900,
  firstWait: 30,
  maxWait: 900,
  exemption: 30 * 86_400,
  knownFailures: 100,
  day: 86_400,
  firsts: 10,
  firstsWindow: 60,
};

/**
 * Counts of sign-in attempts for one account. An attempt is counted before its password is verified and taken back unless
 * the password was wrong, so the counts contain failures and attempts in progress. Times in milliseconds since the epoch.
 */
export interface AccountRecord {
  /** Attempts of unknown addresses since `since`; the last one was at `last`. */
  failures: number;
  since: number;
  last: number;
  /** Single attempts during waits, since `firstsSince`. */
  firsts: number;
  firstsSince: number;
  /** Attempts of known addresses, since `knownSince`. */
  known: number;
  knownSince: number;
}

export const EMPTY_RECORD: AccountRecord = {
  failures: 0,
  since: 0,
  last: 0,
  firsts: 0,
  firstsSince: 0,
  known: 0,
  knownSince: 0,
};

/** Kind of an attempt: a normal one, the single one of its address during a wait, or one of a known address. */
export type AttemptKind = 'counted' | 'first' | 'known';

/** An attempt that was counted. */
export interface Counted {
  record: AccountRecord;
  /** The record before the attempt, used to take it back. */
  before: AccountRecord;
}

/** A rejected attempt, with the seconds until it may be repeated, at least 1. */
export interface Refused {
  retryAfterSeconds: number;
}

/** Returns the length of the nth wait in seconds. */
export function waitSeconds(nth: number, { firstWait, maxWait }: ThrottlePolicy): number {
  return Math.min(firstWait * 2 ** (nth - 1), maxWait);
}

/**
 * Returns the record without expired counts. A time in the future is treated as now, so that neither a wrong clock nor
 * manipulated data can make a wait longer than the policy allows.
 */
export function currentRecord(stored: AccountRecord, now: number, policy: ThrottlePolicy): AccountRecord {
  const record = { ...stored };
  for (const time of ['since', 'last', 'firstsSince', 'knownSince'] as const) {
    record[time] = Math.min(record[time], now);
  }
  const { failures, firsts, known } = endsOf(record, policy);
  if (now >= failures) Object.assign(record, { failures: 0, since: 0, last: 0 });
  if (now >= firsts) Object.assign(record, { firsts: 0, firstsSince: 0 });
  if (now >= known) Object.assign(record, { known: 0, knownSince: 0 });
  return record;
}

/** Returns the time at which all counts of a current record have expired. */
export function endOf(record: AccountRecord, policy: ThrottlePolicy): number {
  const { failures, firsts, known } = endsOf(record, policy);
  return Math.max(failures, firsts, known);
}

/** Counts an attempt of this kind in a current record, or rejects it if the account has to wait. */
export function count(
  record: AccountRecord,
  kind: AttemptKind,
  now: number,
  policy: ThrottlePolicy,
): Counted | Refused {
  const end = COUNTING[kind].heldUntil(record, policy);
  if (end > now) return { retryAfterSeconds: Math.max(1, Math.ceil((end - now) / 1000)) };
  return { before: record, record: { ...record, ...COUNTING[kind].next(record, now) } };
}

/**
 * Takes back an attempt that ended without a wrong password. A count that has restarted since is not changed. Ends a wait
 * that this attempt started.
 */
export function takeBack(
  current: AccountRecord,
  { record, before }: Counted,
  kind: AttemptKind,
): AccountRecord {
  const { counter, begin } = COUNTING[kind];
  if (current[begin] !== record[begin] || current[counter] === 0) return current;
  const last = kind === 'counted' && current.last === record.last ? before.last : current.last;
  return { ...current, last, [counter]: current[counter] - 1 };
}

/** Returns the record after a success. Failures of known addresses remain counted. */
export const withoutFailures = (record: AccountRecord): AccountRecord => ({
  ...record,
  failures: 0,
  since: 0,
  last: 0,
});

interface Counting {
  counter: 'failures' | 'firsts' | 'known';
  begin: 'since' | 'firstsSince' | 'knownSince';
  /** Returns the time until which an attempt is rejected, or 0 if it is allowed. */
  heldUntil(record: AccountRecord, policy: ThrottlePolicy): number;
  next(record: AccountRecord, now: number): Partial<AccountRecord>;
}

const COUNTING: Record<AttemptKind, Counting> = {
  counted: {
    counter: 'failures',
    begin: 'since',
    heldUntil: (record, policy) => waitEnd(record, policy),
    next: ({ failures, since }, now) => ({
      failures: failures + 1,
      since: failures === 0 ? now : since,
      last: now,
    }),
  },
  first: {
    counter: 'firsts',
    begin: 'firstsSince',
    heldUntil: ({ firsts, firstsSince }, policy) =>
      firsts < policy.firsts ? 0 : firstsSince + policy.firstsWindow * 1000,
    next: ({ firsts, firstsSince }, now) => ({
      firsts: firsts + 1,
      firstsSince: firsts === 0 ? now : firstsSince,
    }),
  },
  known: {
    counter: 'known',
    begin: 'knownSince',
    heldUntil: ({ known, knownSince }, policy) =>
      known < policy.knownFailures ? 0 : knownSince + policy.day * 1000,
    next: ({ known, knownSince }, now) => ({
      known: known + 1,
      knownSince: known === 0 ? now : knownSince,
    }),
  },
};

/** Returns the end of the wait: none below the limit, the first wait at the limit, the next one with each further failure. */
function waitEnd({ failures, last }: AccountRecord, policy: ThrottlePolicy): number {
  const nth = failures - policy.failures + 1;
  return nth < 1 ? 0 : last + waitSeconds(nth, policy) * 1000;
}

/** Returns the expiry of each count. Failures expire one window after the end of the last wait. */
function endsOf(record: AccountRecord, policy: ThrottlePolicy) {
  const { failures, since, firsts, firstsSince, known, knownSince } = record;
  const windowEnd = Math.max(since, waitEnd(record, policy)) + policy.window * 1000;
  return {
    failures: failures === 0 ? 0 : windowEnd,
    firsts: firsts === 0 ? 0 : firstsSince + policy.firstsWindow * 1000,
    known: known === 0 ? 0 : knownSince + policy.day * 1000,
  };
}
