import { OutboxListRepository } from '../../../packages/core/src/mail/outbox-list-repository.js';
import { OutboxRepository } from '../../../packages/core/src/mail/outbox-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { PAGE, rolledBack, TOTALS, type Lookup } from './lookup.js';

export function mailLookups(database: Database): Lookup[] {
  return [...lists(database), ...work(database)];
}

function lists(database: Database): Lookup[] {
  const mails = new OutboxListRepository(database);
  return [
    { name: 'mail, first page', run: () => mails.list({}, PAGE), readsMany: TOTALS },
    { name: 'mail that was sent', run: () => mails.list({ state: 'sent' }, PAGE), readsMany: TOTALS },
    {
      name: 'mail of a kind',
      run: () => mails.list({ kind: 'password_changed' }, PAGE),
      readsMany: TOTALS,
    },
    {
      name: 'mail of a kind that failed',
      run: () => mails.list({ state: 'failed', kind: 'password_reset' }, PAGE),
    },
    { name: 'mail that failed', run: () => mails.list({ state: 'failed' }, PAGE) },
    { name: 'mail that is tried again', run: () => mails.list({ state: 'retrying' }, PAGE) },
    { name: 'mail to an address', run: ({ email }) => mails.list({ to: email }, PAGE) },
    { name: 'number of failed mails', run: () => mails.failed() },
    { name: 'mail by the prefix of an id', run: ({ mailId }) => mails.findByPrefix(mailId.slice(0, 13), 11) },
  ];
}

function work(database: Database): Lookup[] {
  const outbox = new OutboxRepository(database);
  const mails = new OutboxListRepository(database);
  return [
    {
      name: 'due mail',
      run: () => outbox.claimDue({ limit: 1, kinds: ['password_changed'], leaseSeconds: 60 }),
    },
    { name: 'mail that was delivered', run: ({ mailId: id }) => outbox.markSent({ id, attempts: 1 }) },
    {
      name: 'mail that could not be sent',
      run: ({ mailId: id }) => outbox.markFailed({ id, attempts: 1 }, 'refused', 60),
    },
    { name: 'number of pending mails', run: () => outbox.countPending() },
    { name: 'backlog of mail', run: () => outbox.backlog() },
    {
      name: 'new mail',
      run: ({ email: recipient }) =>
        rolledBack(database, (trx) =>
          outbox.enqueue(trx, { kind: 'password_changed', recipient, payload: { fullName: null } }),
        ),
    },
    {
      name: 'mail that is tried again by an operator',
      run: ({ mailId }) =>
        rolledBack(database, async (trx) => {
          await mails.findAll([mailId], trx);
          await outbox.retry([mailId], trx);
          await outbox.retryDead(await outbox.now(), 100, trx);
        }),
    },
  ];
}
