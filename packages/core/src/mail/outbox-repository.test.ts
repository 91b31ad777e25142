import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { newId } from '../kernel/id.js';
import { Database } from '../storage/database.js';
import { MAIL_KINDS, type MailKind, type OutboxEntry, type QueuedMail } from './mail-kind.js';
import { OutboxRepository } from './outbox-repository.js';

interface StoredMail {
  status: string;
  last_error: string | null;
  sent_at: Date | null;
  claimed_until: Date | null;
  seconds_to_wait: number;
}

const ALL_KINDS: MailKind[] = [...MAIL_KINDS];

let testDatabase: TestDatabase;
let database: Database;
let outbox: OutboxRepository;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 8, preparedStatements: true });
  outbox = new OutboxRepository(database);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.run((knex) => knex('mail_outbox').delete());
});

const registrationOf = (recipient: string): OutboxEntry => ({
  kind: 'pending_registration',
  recipient,
  payload: {},
});

const queue = (mail: OutboxEntry): Promise<void> => database.transaction((trx) => outbox.enqueue(trx, mail));

const claim = (limit = 1, leaseSeconds = 60, kinds = ALL_KINDS): Promise<QueuedMail[]> =>
  outbox.claimDue({ limit, leaseSeconds, kinds });

async function stored(id: string): Promise<StoredMail> {
  const columns = `*, extract(epoch from next_attempt_at - now())::float8 as seconds_to_wait`;
  const rows = await database.run<StoredMail[]>((knex) =>
    knex('mail_outbox').select(knex.raw(columns)).where({ id }),
  );
  return rows[0]!;
}

describe('queueing', () => {
  it('a queued mail is claimed with its content', async () => {
    const mail: OutboxEntry = {
      kind: 'invitation',
      recipient: 'ada@example.com',
      payload: { invitationId: 'i', companyId: 'c', companyName: `Zoë's "Engines" <b> 李` },
    };
    await queue(mail);
    const [claimed] = await claim();
    expect(claimed).toMatchObject({ ...mail, attempts: 1 });
    expect(claimed?.createdAt).toBeInstanceOf(Date);
  });

  it('a mail is claimed with the language that the account of its recipient has by then', async () => {
    const [id, email] = [newId(), 'bob@example.com'];
    await database.run((knex) => knex('users').insert({ id, email, locale: 'en' }));
    await queue(registrationOf(email));
    await queue(registrationOf('nobody@example.com'));
    await database.run((knex) => knex('users').where({ id }).update({ locale: 'de' }));
    const claimed = await claim(2);
    expect(new Map(claimed.map(({ recipient, locale }) => [recipient, locale]))).toEqual(
      new Map([
        [email, 'de'],
        ['nobody@example.com', null],
      ]),
    );
  });

  it('a mail that was queued for later is not claimed before, and waits from then on', async () => {
    const later = new Date(Date.now() + 600_000);
    await database.transaction((trx) => outbox.enqueue(trx, registrationOf('ada@example.com'), later));
    await database.run((knex) =>
      knex('mail_outbox').update({ created_at: knex.raw("now() - interval '1 hour'") }),
    );
    expect(await claim()).toEqual([]);
    expect(await outbox.backlog()).toMatchObject({ waiting: 1, oldestPending: 0 });
    await database.run((knex) =>
      knex('mail_outbox').update({ next_attempt_at: knex.raw("now() - interval '30 seconds'") }),
    );
    const { oldestPending } = await outbox.backlog();
    expect(oldestPending).toBeGreaterThanOrEqual(30);
    expect(oldestPending).toBeLessThan(300);
    expect(await claim()).toHaveLength(1);
  });

  it.each(ALL_KINDS)('the table takes mail of kind %s', async (kind) => {
    await queue({ ...registrationOf('ada@example.com'), kind } as OutboxEntry);
    expect(await claim(1, 60, [kind])).toHaveLength(1);
  });

  it('no mail is queued when the transaction of its cause is rolled back', async () => {
    const failing = database.transaction(async (trx) => {
      await outbox.enqueue(trx, registrationOf('ada@example.com'));
      throw new Error('the cause failed');
    });
    await expect(failing).rejects.toThrow('the cause failed');
    expect(await outbox.countPending()).toBe(0);
  });

  it('a mail is not seen before its cause has committed', async () => {
    await database.transaction(async (trx) => {
      await outbox.enqueue(trx, registrationOf('ada@example.com'));
      expect(await claim()).toEqual([]);
    });
    expect(await claim()).toHaveLength(1);
  });

  it.each([
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'A <a@example.com>',
    'no-address',
  ])('%j is rejected as a recipient', async (recipient) => {
    await expect(queue(registrationOf(recipient))).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('claiming', () => {
  it('simultaneous claims never share a mail', async () => {
    for (let n = 0; n < 20; n += 1) await queue(registrationOf(`user${n}@example.com`));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(4)));
    const ids = claims.flat().map((mail) => mail.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length + (await claim(100)).length).toBe(20);
  });

  it('a claim returns no more mail than its limit', async () => {
    for (let n = 0; n < 5; n += 1) await queue(registrationOf(`user${n}@example.com`));
    expect(await claim(3)).toHaveLength(3);
    expect(await claim(3)).toHaveLength(2);
  });

  it('a claimed mail can be claimed again after its lease', async () => {
    await queue(registrationOf('ada@example.com'));
    const [first] = await claim(1, 60);
    expect(await claim()).toEqual([]);
    await endLease(first!.id);
    const [second] = await claim();
    expect(second).toMatchObject({ id: first!.id, attempts: 2 });
  });

  it('mail of kinds that the caller does not know is not claimed', async () => {
    await queue(registrationOf('ada@example.com'));
    expect(await claim(1, 60, ['invitation'])).toEqual([]);
    expect(await claim(1, 60, ['pending_registration'])).toHaveLength(1);
  });
});

describe('results', () => {
  async function claimed(): Promise<QueuedMail> {
    await queue(registrationOf('ada@example.com'));
    return (await claim())[0]!;
  }

  it('a sent mail is never claimed again', async () => {
    const mail = await claimed();
    expect(await outbox.markSent(mail)).toBe(true);
    expect(await stored(mail.id)).toMatchObject({ status: 'SENT', last_error: null, claimed_until: null });
    expect((await stored(mail.id)).sent_at).toBeInstanceOf(Date);
    expect(await claim()).toEqual([]);
    expect(await outbox.countPending()).toBe(0);
  });

  it('a failed mail waits, keeps the reason and stays pending', async () => {
    const mail = await claimed();
    expect(await outbox.markFailed(mail, 'connection\r\nrefused', 45)).toBe(true);
    const row = await stored(mail.id);
    expect(row).toMatchObject({ status: 'PENDING', last_error: 'connection refused', claimed_until: null });
    expect(row.seconds_to_wait).toBeGreaterThan(30);
    expect(row.seconds_to_wait).toBeLessThanOrEqual(45);
    expect(await claim()).toEqual([]);
    expect(await outbox.countPending()).toBe(1);
  });

  it('a dead mail keeps its reason, cut to what the column holds', async () => {
    const mail = await claimed();
    expect(await outbox.markDead(mail, '👎'.repeat(600))).toBe(true);
    expect(await stored(mail.id)).toMatchObject({
      status: 'DEAD',
      last_error: '👎'.repeat(500),
      sent_at: null,
    });
  });

  it('a skipped mail is finished without having been sent', async () => {
    const mail = await claimed();
    expect(await outbox.markSkipped(mail)).toBe(true);
    expect(await stored(mail.id)).toMatchObject({ status: 'SKIPPED', sent_at: null });
  });

  it('a result of an older claim is not recorded', async () => {
    const old = await claimed();
    await endLease(old.id);
    const [current] = await claim();
    expect(await outbox.markFailed(old, 'late', 900)).toBe(false);
    expect(await outbox.markDead(old, 'late')).toBe(false);
    expect(await stored(old.id)).toMatchObject({ status: 'PENDING', last_error: null });
    expect(await outbox.markSent(current!)).toBe(true);
    expect(await outbox.markSent(current!)).toBe(false);
  });
});

async function endLease(id: string): Promise<void> {
  await database.run((knex) => knex('mail_outbox').where({ id }).update({ claimed_until: knex.fn.now() }));
}
