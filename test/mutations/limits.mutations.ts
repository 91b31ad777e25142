import type { Mutation } from './mutation.js';

const RECORD = 'packages/core/src/rate-limits/account-record.ts';
const COUNTER = 'packages/core/src/rate-limits/attempt-counter.ts';
const THROTTLE = 'packages/core/src/rate-limits/account-throttle.ts';
const SAMPLER = 'packages/core/src/rate-limits/refusal-sampler.ts';
const CONFIRMATIONS = 'packages/core/src/sessions/session-repository.sql.ts';
const CONFIRMATION_SERVICE = 'packages/core/src/login/confirmation-service.ts';
const LOGIN = 'packages/core/src/login/login-service.ts';
const DENIAL = 'packages/core/src/admin/internal-key-denial.ts';
const KEY_CALLER = 'packages/http/src/callers/internal-key.ts';

const GUESSING =
  'Guessing is slowed down by address and by account, across all replicas. No attacker can lock a user out permanently.';
const BURST =
  'A parallel burst compares no more passwords than sequential attempts. Known addresses have at most 100 failures a day.';
const RESET = 'A confirmed reset ends the wait of an account at once.';
const CONFIRMATION =
  'Ten wrong confirmations in a row revoke the session. They are compared one at a time across all replicas, with and without Redis.';
const ANONYMOUS =
  'Anonymous requests cannot flood the audit log: denials of one address share one row a minute. A valid machine key is never rate limited.';
const AUDITED = 'Rate-limited sign-ins and wrong current passwords are in the audit log.';

/** Defects in the limits on guessing and on anonymous requests. */
export const limitsMutations: readonly Mutation[] = [
  {
    promise: BURST,
    defect: 'attempts are not counted before the password is looked at',
    file: COUNTER,
    from: 'record: isRefused(result) ? record : result.record',
    to: 'record: isRefused(result) ? record : record',
  },
  {
    promise: BURST,
    defect: 'known addresses have no ceiling',
    file: RECORD,
    from: 'known < policy.knownFailures ? 0',
    to: 'known >= 0 ? 0',
  },
  {
    promise: BURST,
    defect: 'a right password that opens no session stays counted as a failure',
    file: LOGIN,
    from: 'await attempt.takeBack();',
    to: 'await Promise.resolve();',
  },
  {
    promise: GUESSING,
    defect: 'an address that has failed may try again and again during the wait',
    file: COUNTER,
    from: "'1', this.#deps.policy.day))) return refused;",
    to: "'1', this.#deps.policy.day))) void refused;",
  },
  {
    promise: GUESSING,
    defect: 'any number of new addresses may try during the wait',
    file: RECORD,
    from: 'firsts < policy.firsts ? 0',
    to: 'firsts >= 0 ? 0',
  },
  {
    promise: GUESSING,
    defect: 'a wait keeps new addresses out, too',
    file: COUNTER,
    from: '? this.#reserveFirst(email, ip, counted)',
    to: '? counted',
  },
  {
    promise: GUESSING,
    defect: 'a refused address uses up the single attempts of others',
    file: COUNTER,
    from: "const counted = await this.#count(email, 'first');",
    to: "await this.#count(email, 'first');\n    const counted = await this.#count(email, 'first');",
  },
  {
    promise: RESET,
    defect: 'a confirmed reset leaves the wait as it is',
    file: THROTTLE,
    from: 'await this.#shared.clear(email, ip);',
    to: 'await Promise.resolve();',
  },
  {
    promise: CONFIRMATION,
    defect: 'the tenth wrong confirmation does not end the session',
    file: CONFIRMATION_SERVICE,
    from: 'if (failures < MAX_FAILED_CONFIRMATIONS) return;',
    to: 'if (failures <= MAX_FAILED_CONFIRMATIONS) return;',
  },
  {
    promise: CONFIRMATION,
    defect: 'confirmations of one session are compared at the same time',
    file: CONFIRMATIONS,
    from: '(confirming_until IS NULL OR confirming_until <= now())\n   RETURNING id',
    to: 'true\n   RETURNING id',
  },
  {
    promise: CONFIRMATION,
    defect: 'a confirmation that could not be compared counts as wrong',
    file: CONFIRMATIONS,
    from: 'greatest(failed_confirmations - 1, 0)',
    to: 'greatest(failed_confirmations, 0)',
  },
  {
    promise: CONFIRMATION,
    defect: 'a right confirmation does not begin the count anew',
    file: CONFIRMATIONS,
    from: "'UPDATE sessions SET failed_confirmations = 0, confirming_until",
    to: "'UPDATE sessions SET confirming_until",
  },
  {
    promise: ANONYMOUS,
    defect: 'each refusal leaves a row',
    file: SAMPLER,
    from: "setIfAbsent(row, '1', WINDOW_SECONDS)",
    to: "setIfAbsent(row, '1', WINDOW_SECONDS / 60_000)",
  },
  {
    promise: ANONYMOUS,
    defect: 'wrong machine keys are not limited',
    file: DENIAL,
    from: 'await this.#deps.anonymousWrites.consume(client.ipAddress);',
    to: 'void this.#deps.anonymousWrites;',
  },
  {
    promise: ANONYMOUS,
    defect: 'right machine keys are counted and limited like wrong ones',
    file: KEY_CALLER,
    from: 'if (key === undefined && token !== undefined) return identifyService(request, token);',
    to: 'if (key === undefined && token !== undefined) return identifyService(request, token);\n    await request.auth.anonymousRateLimiter.consume(request.client.ipAddress);',
  },
  {
    promise: AUDITED,
    defect: 'a sign-in that the wait refuses leaves no row',
    file: LOGIN,
    from: 'if (!sampled) return;',
    to: 'if (!sampled || email.length > 0) return;',
  },
];
