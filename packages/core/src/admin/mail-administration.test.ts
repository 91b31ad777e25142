import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { auditRepository } from '../../../../test/support/audit-repositories.js';
import { mailComposer } from '../../../../test/support/mail-composer.js';
import type { Sql } from '../../../../test/support/service.js';
import { startSmtpSink, type SmtpSink } from '../../../../test/support/smtp-sink.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { truncate } from '../../../../test/support/truncate.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { unknownClient } from '../kernel/client-info.js';
import { silentLogger } from '../kernel/logger.js';
import { generateSecret } from '../kernel/secret.js';
import { MailWorker } from '../mail/mail-worker.js';
import { SmtpMailer } from '../mail/mailer.smtp.js';
import { OutboxListRepository } from '../mail/outbox-list-repository.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { Outbox, WORKER_ELSEWHERE } from '../mail/outbox.js';
import { Database } from '../storage/database.js';
import { UserRepository } from '../users/user-repository.js';
import { MailAdministration } from './mail-administration.js';

const OPERATOR = { kind: 'operator', name: 'alice' } as const;
const PAGE = { limit: 50, offset: 0 };

let testDatabase: TestDatabase;
let database: Database;
let mails: OutboxRepository;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 8, preparedStatements: true });
  mails = new OutboxRepository(database);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(() => sql(truncate('mail_outbox', 'auth_audit_logs')));

const sql: Sql = (text, values) =>
  database.withConnection(async (connection) => {
    const { rows } = await connection.query<Record<string, unknown>>(text, values);
    return rows;
  });

function administrationWith(worker: Pick<MailWorker, 'wake'> | undefined): MailAdministration {
  const outbox = new Outbox({ database, mails, worker });
  const mailLists = new OutboxListRepository(database);
  const audit = auditRepository(database);
  return new MailAdministration({
    database,
    users: new UserRepository(database),
    outbox,
    mails,
    mailLists,
    audit,
  });
}

const administration = () => administrationWith(WORKER_ELSEWHERE);

async function queued(recipient: string): Promise<string> {
  await database.transaction((trx) =>
    mails.enqueue(trx, { kind: 'password_changed', recipient, payload: { fullName: 'Ada' } }),
  );
  const [row] = await sql('SELECT id FROM mail_outbox WHERE recipient = $1', [recipient]);
  return String(row?.id);
}

const claimOne = async () => {
  const [mail] = await mails.claimDue({ limit: 1, kinds: ['password_changed'], leaseSeconds: 60 });
  if (!mail) throw new Error('no mail is due');
  return mail;
};

/** A mail that was given up at its first attempt. */
async function dead(recipient: string, reason = '550 no such user'): Promise<string> {
  const id = await queued(recipient);
  await mails.markDead(await claimOne(), reason);
  return id;
}

const stateOf = async (id: string) => {
  const { items } = await administration().list({}, PAGE);
  return items.find((mail) => mail.id === id)?.state;
};

/** A worker of the service, and the mail server it sends to. */
function startWorker(sink: SmtpSink): void {
  const mailer = new SmtpMailer({ url: sink.url, security: 'opportunistic', from: 'no-reply@example.com' });
  const worker = new MailWorker({
    outbox: mails,
    composer: mailComposer(),
    mailer,
    logger: silentLogger,
    pollMs: 20,
  });
  worker.start();
  onTestFinished(async () => {
    await worker.stop();
    mailer.close();
    await sink.stop();
  });
}

describe('the list of mails', () => {
  it('the list shows the status of each mail, newest first, and nothing of its content', async () => {
    const failed = await dead('failed@example.com');
    await queued('sent@example.com');
    await mails.markSent(await claimOne());
    await queued('skipped@example.com');
    await mails.markSkipped(await claimOne());
    await queued('retrying@example.com');
    await mails.markFailed(await claimOne(), '451 later', 900);
    await queued('waiting@example.com');
    const { items, total } = await administration().list({}, PAGE);
    expect(items.map(({ recipient, state, attempts }) => [recipient, state, attempts])).toEqual([
      ['waiting@example.com', 'waiting', 0],
      ['retrying@example.com', 'retrying', 1],
      ['skipped@example.com', 'skipped', 1],
      ['sent@example.com', 'sent', 1],
      ['failed@example.com', 'failed', 1],
    ]);
    expect(total).toBe(5);
    expect(items.at(-1)).toEqual({
      id: failed,
      kind: 'password_changed',
      recipient: 'failed@example.com',
      state: 'failed',
      attempts: 1,
      createdAt: expect.stringMatching(/Z$/) as string,
      nextAttemptAt: null,
      sentAt: null,
      lastError: '550 no such user',
    });
    for (const state of ['waiting', 'retrying', 'failed', 'sent', 'skipped'] as const) {
      const found = await administration().list({ state }, PAGE);
      expect([found.total, found.items.map(({ recipient }) => recipient)]).toEqual([
        1,
        [`${state}@example.com`],
      ]);
    }
  });

  it('the list is filtered by kind and by the prefix of the address, which is no pattern', async () => {
    for (const name of ['ada', 'adam', 'a%a', 'eve']) await queued(`${name}@example.com`);
    const found = async (to: string) => (await administration().list({ to }, PAGE)).total;
    expect(await Promise.all(['ada', 'ada@example.com', 'a%', '%', 'a_a'].map(found))).toEqual([
      2, 1, 1, 0, 0,
    ]);
    expect((await administration().list({ kind: 'invitation' }, PAGE)).total).toBe(0);
  });

  it('the list repeats no link that a mail server quoted', async () => {
    const secret = generateSecret('lki_');
    await dead('ada@example.com', `554 blocked https://auth.example.com/accept-invitation?token=${secret}`);
    const { items } = await administration().list({}, PAGE);
    expect(items[0]?.lastError).toBe('554 blocked [address]');
  });
});

describe('asking for mail again', () => {
  it('a retry sends a mail that was given up, and is audited', async () => {
    const sink = await startSmtpSink();
    sink.refuseWith = 550;
    startWorker(sink);
    const id = await queued('ada@example.com');
    await waitUntil(async () => (await stateOf(id)) === 'failed', { what: 'a failed mail' });
    sink.refuseWith = undefined;
    const [retried] = await administration().retry(OPERATOR, [id], unknownClient);
    expect(retried).toMatchObject({ id, state: 'retrying', attempts: 1 });
    await sink.waitForMessage(({ to }) => to.includes('ada@example.com'));
    await waitUntil(async () => (await stateOf(id)) === 'sent', { what: 'a sent mail' });
    expect(await sql('SELECT event, actor, details FROM auth_audit_logs')).toEqual([
      { event: 'mail_retried', actor: 'cli:alice', details: { mailIds: [id] } },
    ]);
  });

  it('a retry wakes the worker of this process', async () => {
    const id = await dead('ada@example.com');
    let wakes = 0;
    await administrationWith({ wake: () => (wakes += 1) }).retry(OPERATOR, [id], unknownClient);
    expect(wakes).toBe(1);
  });

  it('a retry ends the wait of a mail that is due later', async () => {
    const id = await queued('ada@example.com');
    await mails.markFailed(await claimOne(), '451 later', 900);
    await administration().retry(OPERATOR, [id], unknownClient);
    expect(await claimOne()).toMatchObject({ id, attempts: 2 });
  });

  it('a retry does not change a mail that is being sent', async () => {
    const id = await queued('ada@example.com');
    const claim = await claimOne();
    await administration().retry(OPERATOR, [id], unknownClient);
    await expect(claimOne()).rejects.toThrow('no mail is due');
    expect(await mails.markSent(claim)).toBe(true);
    expect(await stateOf(id)).toBe('sent');
  });

  it('a retry ignores the result of an earlier attempt', async () => {
    const id = await queued('ada@example.com');
    const first = await claimOne();
    await sql(`UPDATE mail_outbox SET claimed_until = now() - interval '1 second'`);
    await mails.markDead(await claimOne(), 'given up');
    await administration().retry(OPERATOR, [id], unknownClient);
    expect(await mails.markDead(first, 'a late answer')).toBe(false);
    expect(await stateOf(id)).toBe('retrying');
  });

  it.each(['SENT', 'SKIPPED'])(
    'a retry of a mail that is %s is rejected, and nothing is changed',
    async (status) => {
      const [failed, done] = [await dead('ada@example.com'), await queued('eve@example.com')];
      await sql(
        `UPDATE mail_outbox SET status = $2, sent_at = CASE WHEN $2 = 'SENT' THEN now() END WHERE id = $1`,
        [done, status],
      );
      const retrying = administration().retry(OPERATOR, [failed, done], unknownClient);
      await expect(retrying).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(done) as string,
      });
      expect(await stateOf(failed)).toBe('failed');
      expect(await sql('SELECT 1 FROM auth_audit_logs')).toEqual([]);
    },
  );

  it('two simultaneous retries send a mail once', async () => {
    const id = await dead('ada@example.com');
    const retry = () => administration().retry(OPERATOR, [id], unknownClient);
    await Promise.all([retry(), retry(), retry()]);
    await claimOne();
    await expect(claimOne()).rejects.toThrow('no mail is due');
  });

  it('a retry is rejected when mail is not configured', async () => {
    const id = await dead('ada@example.com');
    const silent = administrationWith(undefined);
    expect(silent.isDelivered).toBe(false);
    await expect(silent.retry(OPERATOR, [id], unknownClient)).rejects.toMatchObject({ code: 'conflict' });
    await expect(silent.retryFailed(OPERATOR, unknownClient)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(id)).toBe('failed');
  });
});

describe('asking for all failed mail again', () => {
  const MANY = 2300;

  const insertDead = (count: number) =>
    sql(
      `INSERT INTO mail_outbox (id, kind, recipient, status, attempts, last_error, next_attempt_at)
       SELECT gen_random_uuid(), 'password_changed', 'user' || n || '@example.com', 'DEAD', 20, 'away',
         now() - interval '1 hour' FROM generate_series(1, $1::int) AS n`,
      [count],
    );

  it('a retry of all failed mails changes each of them and no other, in transactions of their own', async () => {
    await insertDead(MANY);
    const waiting = await queued('waiting@example.com');
    expect((await administration().failed()).count).toBe(MANY);
    expect(await administration().retryFailed(OPERATOR, unknownClient)).toBe(MANY);
    expect(await administration().failed()).toEqual({ count: 0, oldest: null });
    expect((await administration().list({ state: 'retrying' }, PAGE)).total).toBe(MANY);
    expect(await stateOf(waiting)).toBe('waiting');
    const audit = await sql(`SELECT details->'mails' AS mails FROM auth_audit_logs ORDER BY id`);
    expect(audit.map(({ mails: count }) => count)).toEqual([1000, 1000, 300]);
  });

  it('a retry of all failed mails ends even if mails fail faster than they are retried', async () => {
    await sql(
      `CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.status := 'DEAD'; RETURN NEW; END $$`,
    );
    await sql('CREATE TRIGGER give_up BEFORE UPDATE ON mail_outbox FOR EACH ROW EXECUTE FUNCTION give_up()');
    onTestFinished(async () => {
      await sql('DROP FUNCTION give_up CASCADE');
    });
    await insertDead(1200);
    expect(await administration().retryFailed(OPERATOR, unknownClient)).toBe(1200);
  });

  it('a retry of all failed mails without any writes no audit row', async () => {
    expect(await administration().retryFailed(OPERATOR, unknownClient)).toBe(0);
    expect(await sql('SELECT 1 FROM auth_audit_logs')).toEqual([]);
  });
});
