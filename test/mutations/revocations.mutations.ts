import type { Mutation } from './mutation.js';

const ALL_CAUSES =
  'Whatever ends access tokens is in the revocation feed, written in the transaction that ends them.';
const NONE_MISSED = 'A reader of the revocation feed misses no entry, in whatever order transactions commit.';
const PROMPT =
  'A revocation is on the feed of every replica within a second, also without Redis and beside a transaction that stays open.';
const NOT_BLIND =
  'A replica that cannot read the database does not let readers of the feed believe that nothing was revoked.';
const READERS =
  'The revocation feed is open to machines with the key or the scope for it, until their credential expires.';
const OTHERS = 'A client that reads the feed slowly, or many that read it, do not slow down the others.';

const MIGRATION = 'migrations/0026_revocations.sql';
const REPOSITORY = 'packages/core/src/revocations/revocation-repository.ts';
const POLLER = 'packages/core/src/revocations/revocation-poller.ts';
const STREAM = 'packages/http/src/revocations/revocation-stream.ts';

/** Defects in the revocation feed. */
export const revocationMutations: readonly Mutation[] = [
  {
    promise: ALL_CAUSES,
    defect: 'a session that is removed with its user is not in the feed',
    file: MIGRATION,
    from: "NOT OLD.is_revoked AND OLD.expires_at > now() - interval '1 day'",
    to: "NOT OLD.is_revoked AND OLD.expires_at > now() + interval '900 days'",
  },
  {
    promise: ALL_CAUSES,
    defect: 'a raised token version is in the feed from the second time on',
    file: MIGRATION,
    from: 'WHEN (NEW.token_version > OLD.token_version)',
    to: 'WHEN (NEW.token_version > OLD.token_version AND OLD.token_version > 1)',
  },
  {
    promise: NONE_MISSED,
    defect: 'a revocation that commits late is taken for one that was read',
    file: REPOSITORY,
    from: 'WHERE transaction_id >= pg_snapshot_xmin(',
    to: 'WHERE transaction_id >= pg_snapshot_xmax(',
  },
  {
    promise: NONE_MISSED,
    defect: 'only the first page of many revocations is read',
    file: REPOSITORY,
    from: 'while (rows.length === SIZE) {',
    to: 'while (rows.length > SIZE) {',
  },
  {
    promise: NONE_MISSED,
    defect: 'a cursor of another database is accepted',
    file: REPOSITORY,
    from: 'since.origin !== now.origin || isTooOld',
    to: 'isTooOld',
  },
  {
    promise: NONE_MISSED,
    defect: 'a cursor that is older than what is kept is accepted',
    file: REPOSITORY,
    from: '|| isTooOld || isAhead(since, now)',
    to: '|| (isTooOld && isAhead(since, now)) || isAhead(since, now)',
  },
  {
    promise: PROMPT,
    defect: 'without announcements the feed is read every ten seconds',
    file: POLLER,
    from: 'const INTERVAL_MS = 200;',
    to: 'const INTERVAL_MS = 10_000;',
  },
  {
    promise: NOT_BLIND,
    defect: 'heartbeats go on although the database does not answer',
    file: POLLER,
    from: 'if (this.isFresh) this.#beat(now);',
    to: 'this.#beat(now);',
  },
  {
    promise: READERS,
    defect: 'any service token may read the feed',
    file: 'packages/http/src/routes/management/revocations.ts',
    from: "machineWith('revocations:read')",
    to: "machineWith('internal:read')",
  },
  {
    promise: READERS,
    defect: 'a stream outlives its service token',
    file: 'packages/http/src/revocations/deliver-stream.ts',
    from: 'setTimeout(() => stream.onEnd(), msUntil(expiresAt))',
    to: 'setTimeout(() => undefined, msUntil(expiresAt))',
  },
  {
    promise: OTHERS,
    defect: 'events wait for a client that does not read, without a limit',
    file: STREAM,
    from: 'if (this.#waitingBytes > MAX_WAITING_BYTES)',
    to: 'if (this.#waitingBytes > Number.MAX_SAFE_INTEGER)',
  },
  {
    promise: OTHERS,
    defect: 'all streams are written to in one go',
    file: 'packages/http/src/revocations/stream-turns.ts',
    from: 'const SLICE = 50;',
    to: 'const SLICE = 1_000_000;',
  },
];
