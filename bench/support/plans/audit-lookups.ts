import { AuditListRepository } from '../../../packages/core/src/audit/audit-list-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import type { Lookup } from './lookup.js';

/** One more than a page, as the service reads it. */
const LIMIT = 51;
const DAY_MS = 86_400_000;
/** A snapshot that shows everything: what is read since it is what a reader finds that has just read. */
const NO_END = '1000000000000:1000000000000:';

export function auditLookups(database: Database): Lookup[] {
  const audit = new AuditListRepository(database);
  return [
    { name: 'time of the audit log', run: () => audit.now() },
    { name: 'audit log, newest', run: () => audit.list({}, undefined, LIMIT) },
    {
      name: 'audit log, older page',
      run: ({ sessionId: id }) =>
        audit.list({}, { microseconds: String(daysAgo(80).getTime() * 1000), id }, LIMIT),
    },
    {
      name: 'audit log of a week',
      run: () => audit.list({ from: daysAgo(87), to: daysAgo(80) }, undefined, LIMIT),
    },
    { name: 'audit log of an event', run: () => audit.list({ event: 'login' }, undefined, LIMIT) },
    {
      name: 'audit log of an event that never happened',
      run: () => audit.list({ event: 'refresh_reuse' }, undefined, LIMIT),
    },
    {
      name: 'audit log, failures of an event',
      run: () => audit.list({ event: 'login', outcome: 'failure' }, undefined, LIMIT),
    },
    {
      name: 'audit log of a user',
      run: ({ userId }) => audit.list({ subjectUserId: userId }, undefined, LIMIT),
    },
    {
      name: 'audit log of a company',
      run: ({ companyId }) => audit.list({ companyId }, undefined, LIMIT),
    },
    ...ofPersons(audit),
    { name: 'audit log, denials', run: () => audit.list({ outcome: 'denied' }, undefined, LIMIT) },
    {
      name: 'audit log from an address',
      run: () => audit.list({ ipAddress: '192.0.2.7' }, undefined, LIMIT),
    },
    {
      name: 'audit log from a network',
      run: () => audit.list({ ipAddress: '192.0.2.0/27' }, undefined, LIMIT),
    },
    {
      name: 'audit log from a wide network',
      run: () => audit.list({ ipAddress: '172.16.0.0/12' }, undefined, LIMIT),
    },
    { name: 'audit log of a session', run: ({ sessionId }) => audit.list({ sessionId }, undefined, LIMIT) },
    ...following(audit),
  ];
}

/** Lists the searches for what a user did, as an actor, as the subject or for others. */
function ofPersons(audit: AuditListRepository): Lookup[] {
  return [
    {
      name: 'audit log by an actor',
      run: ({ userId }) => audit.list({ actorUserId: userId }, undefined, LIMIT),
    },
    {
      name: 'audit log by a user and about them',
      run: ({ userId }) => audit.list({ userId }, undefined, LIMIT),
    },
    {
      name: 'audit log by a user and about them, older page',
      run: ({ userId, sessionId: id }) =>
        audit.list({ userId }, { microseconds: String(daysAgo(80).getTime() * 1000), id }, LIMIT),
    },
    {
      name: 'audit log of what a member of staff did for others',
      run: ({ userId }) => audit.list({ actedByUserId: userId }, undefined, LIMIT),
    },
  ];
}

/** Lists what is read again and again by a command that follows the log. */
function following(audit: AuditListRepository): Lookup[] {
  const slice = { until: NO_END, after: undefined, limit: 500 };
  return [
    { name: 'snapshot of the audit log', run: () => audit.snapshot() },
    {
      name: 'audit log from an instant on',
      run: () => audit.since({}, { from: justNow() }, slice),
    },
    {
      name: 'audit log of a user from an instant on',
      run: ({ userId }) => audit.since({ subjectUserId: userId }, { from: justNow() }, slice),
    },
    {
      name: 'audit log since a snapshot',
      run: () => audit.since({}, { snapshot: NO_END }, slice),
    },
    {
      name: 'audit log of a user since a snapshot, next page',
      run: ({ userId, sessionId: id }) => {
        const after = { microseconds: microsecondsOf(justNow()), id };
        return audit.since({ userId }, { snapshot: NO_END }, { ...slice, after });
      },
    },
    {
      name: 'audit log since an entry',
      run: ({ sessionId: id }) => {
        const entry = { microseconds: microsecondsOf(justNow()), id };
        return audit.since({}, { entry, snapshot: NO_END, transactionId: '3' }, slice);
      },
    },
    {
      name: 'entry of the audit log at which a reader stops',
      run: ({ sessionId }) => audit.stopAt(sessionId),
    },
    ...followingOverHttp(audit),
  ];
}

/** Lists what is read by clients of the route that follows the log. */
function followingOverHttp(audit: AuditListRepository): Lookup[] {
  return [
    { name: 'transactions that have ended', run: () => audit.horizon() },
    {
      name: 'audit log that was committed since',
      run: () =>
        audit.committedSince({}, { from: microsecondsOf(justNow()), transactionId: '3' }, undefined, LIMIT),
    },
    {
      name: 'audit log of a user that was committed since, next page',
      run: ({ userId, sessionId: id }) => {
        const from = microsecondsOf(justNow());
        return audit.committedSince(
          { userId },
          { from, transactionId: '3' },
          { microseconds: from, id },
          LIMIT,
        );
      },
    },
  ];
}

const justNow = (): Date => new Date(Date.now() - 60_000);

const microsecondsOf = (time: Date): string => String(time.getTime() * 1000);

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
