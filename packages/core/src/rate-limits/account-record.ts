/** Rules by which failed sign-ins slow an account down. All times in seconds. */
export interface ThrottlePolicy {
  /** Failures within `window` that start the first wait. */
  failures: number;
  window: number;
  /** The first wait; each further failure after a wait doubles it. */
  firstWait: number;
  maxWait: number;
  /** Time for which an address that signed in passes the wait. */
  exemption: number;
  /** Failures of such addresses within `day`. */
  knownFailures: number;
  day: number;
  /** Attempts within `firstsWindow` of addresses that have not failed at the account, during a wait. */
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
 * The attempts at one account. An attempt is counted before the password is looked at and taken back
 * unless the password was wrong, so the counts hold failures and attempts under way. Times in milliseconds of the epoch.
 */
export interface AccountRecord {
  /** Attempts of addresses that are not known, since `since`, the last at `last`. */
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

/** The way in which an attempt was counted: like any other, as the single one of its address in a wait, or of a known address. */
export type AttemptKind = 'counted' | 'first' | 'known';

/** An attempt that was counted. */
export interface Counted {
  record: AccountRecord;
  /** The record as it was before, to take the attempt back. */
  before: AccountRecord;
}

/** An attempt that was not: seconds until it may be repeated, 1 or more. */
export interface Refused {
  retryAfterSeconds: number;
}

/** Length of the nth wait in seconds. */
export function waitSeconds(nth: number, { firstWait, maxWait }: ThrottlePolicy): number {
  return Math.min(firstWait * 2 ** (nth - 1), maxWait);
}

/**
 * The record as it counts now: without what is past its time. A time ahead of this host's clock counts as now, so that no
 * clock, and nothing written by another hand, makes a wait longer than the policy.
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

/** Returns the time at which a current record is empty by itself. */
export function endOf(record: AccountRecord, policy: ThrottlePolicy): number {
  const { failures, firsts, known } = endsOf(record, policy);
  return Math.max(failures, firsts, known);
}

/** Counts an attempt of this kind in a current record, unless it has to wait. */
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
 * Takes an attempt back: it ended without a wrong password. Nothing happens to a count that has begun anew since. A wait
 * that this very attempt began is over.
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

/** Returns what a success leaves: what known addresses have failed today stays counted. */
export const withoutFailures = (record: AccountRecord): AccountRecord => ({
  ...record,
  failures: 0,
  since: 0,
  last: 0,
});

interface Counting {
  counter: 'failures' | 'firsts' | 'known';
  begin: 'since' | 'firstsSince' | 'knownSince';
  /** Until when an attempt is refused; 0 when it is not. */
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

/** The wait follows from the count: none below the limit, the first at the limit, the next one with each more. */
function waitEnd({ failures, last }: AccountRecord, policy: ThrottlePolicy): number {
  const nth = failures - policy.failures + 1;
  return nth < 1 ? 0 : last + waitSeconds(nth, policy) * 1000;
}

/** Waits are forgotten one window after the last of them. */
function endsOf(record: AccountRecord, policy: ThrottlePolicy) {
  const { failures, since, firsts, firstsSince, known, knownSince } = record;
  const windowEnd = Math.max(since, waitEnd(record, policy)) + policy.window * 1000;
  return {
    failures: failures === 0 ? 0 : windowEnd,
    firsts: firsts === 0 ? 0 : firstsSince + policy.firstsWindow * 1000,
    known: known === 0 ? 0 : knownSince + policy.day * 1000,
  };
}
